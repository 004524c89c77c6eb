// reading Gmsh 2.2 and 4.1: what is legal is read, what is not is refused with its line
#include "mesh_files.h"

#define HEAD2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES2 "$Nodes\n5\n10 0 0 0\n2 1 0 0\n-7 0 1 0\n900000000000 0 0 1\n5 1 1 1\n$EndNodes\n"
#define NODES4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

static const char mixed2[] = "$Comments\nmade by hand\n$Nodes\nnot a section\n$EndComments\n" HEAD2
                             "$PhysicalNames\n3\n0 4 \"tip\"\n2 1 \"the wall\"\n3 7 \"left\"\n$EndPhysicalNames\n"
                             "$Elements\n7\n"
                             "1 15 2 4 1 5\n"                       // a point in group 4
                             "2 1 2 9 1 10 2\n"                     // a line in group 9
                             "4 2 2 1 1 10 -7 2\n"                  // a triangle in "the wall"
                             "3 2 3 0 1 8 5 2 10\n"                 // one in no group
                             "17 4 2 7 1 10 2 -7 900000000000\n"    // a tet in "left"
                             "99 4 4 1 1 1 3 2 -7 900000000000 5\n" // one in group 1, partitioned
                             "5 8 0 10 2 5\n"                       // a second-order line
                             "$EndElements\n"
                             "$Whatever\n1 2 3 nonsense\n$EndWhatever\n" NODES2;

TEST(format_2_with_sparse_tags_mixed_elements_and_any_order_of_sections_is_read)
{
	plMesh* mesh = readText("a.msh", mixed2);
	CHECK_TEXT(problems, "");
	plMeshView m = plMesh_GetView(mesh);
	CHECK(m.vertexCount == 5 && m.tetCount == 2 && m.triangleCount == 2 && m.groupCount == 5);
	const uint32_t tets[] = {0, 1, 2, 3, 1, 2, 3, 4}, triangles[] = {0, 2, 1, 4, 1, 0};
	CHECK(memcmp(m.tets, tets, sizeof tets) == 0 && memcmp(m.triangles, triangles, sizeof triangles) == 0);
	const plMeshGroup* g = plMesh_FindGroup(mesh, "tip");
	CHECK(g != NULL && g->tag == 4 && g->dimension == 0 && g->vertexCount == 1 && g->vertices[0] == 4);
	g = plMesh_FindGroup(mesh, "9");
	CHECK(g != NULL && g->dimension == 0 && g->vertexCount == 2);
	g = plMesh_FindGroup(mesh, "the wall");
	CHECK(g != NULL && g->tag == 1 && g->dimension == 2 && g->elementCount == 1 && g->elements[0] == 0);
	g = plMesh_FindGroup(mesh, "left");
	CHECK(g != NULL && g->tag == 7 && g->elementCount == 1 && g->elements[0] == 0 && g->vertexCount == 4);
	CHECK(plMesh_FindGroup(mesh, "7") == g);
	g = plMesh_FindGroup(mesh, "1"); // its name, before the number of "the wall"
	CHECK(g != NULL && g->dimension == 3 && g->elements[0] == 1);
	plDestroyMesh(mesh);
}

TEST(parametric_nodes_of_format_2_are_read)
{
	plMesh* mesh =
	    readText("a.msh", HEAD2 "$ParametricNodes\n4\n1 0 0 0 0 1\n2 1 0 0 1 3 0.5\n3 0 1 0 2 4 0.5 0.25\n"
	                            "4 0 0 1 3 1\n$EndParametricNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements");
	CHECK_TEXT(problems, "");
	CHECK(plMesh_GetView(mesh).vertexCount == 4);
	plDestroyMesh(mesh);
}

TEST(format_4_with_many_blocks_entities_and_parameters_is_read)
{
	plMesh* mesh = readText("a.msh", HEAD4 "$PhysicalNames\n1\n3 2 \"core\"\n$EndPhysicalNames\r\n"
	                                       "$Entities\n1 1 1 2\n1 0 0 0 1 5\n"
	                                       "1 0 0 0 1 1 1 0 2 1 -1\n"
	                                       "1 0 0 0 1 1 1 1 -6 1 1\n"
	                                       "1 0 0 0 1 1 1 2 2 3 1 1\n2 0 0 0 1 1 1 1 3 0\n$EndEntities\n"
	                                       "$Nodes\n4 5 3 80\n"
	                                       "0 1 0 1\n80\n0 0 0\n"
	                                       "2 1 1 2\n3\n70\n1 0 0 0.25 0.5\n0 1 0 1 1\n"
	                                       "3 1 1 1\n5\n0 0 1 1 2 3\n"
	                                       "3 2 0 1\n6\n1 1 1\n$EndNodes\n"
	                                       "$Elements\n5 5 1 900\n"
	                                       "0 1 15 1\n1 80\n"
	                                       "2 1 2 1\n2 80 70 3\n"
	                                       "3 1 4 1\n900 80 3 70 5\n"
	                                       "3 2 4 1\n4 3 70 5 6\n"
	                                       "1 77 1 1\n5 80 3\n$EndElements\n");
	CHECK_TEXT(problems, "");
	plMeshView m = plMesh_GetView(mesh);
	CHECK(m.vertexCount == 5 && m.tetCount == 2 && m.triangleCount == 1 && m.groupCount == 4);
	const uint32_t tets[] = {0, 1, 2, 3, 1, 2, 3, 4};
	CHECK(memcmp(m.tets, tets, sizeof tets) == 0);
	const plMeshGroup* g = plMesh_FindGroup(mesh, "core");
	CHECK(g != NULL && g->elementCount == 1 && g->tag == 2);
	g = plMesh_FindGroup(mesh, "3");
	CHECK(g != NULL && g->elementCount == 2 && g->vertexCount == 5);
	g = plMesh_FindGroup(mesh, "6");
	CHECK(g != NULL && g->dimension == 2 && g->elementCount == 1);
	g = plMesh_FindGroup(mesh, "5");
	CHECK(g != NULL && g->dimension == 0 && g->vertexCount == 1 && g->vertices[0] == 0);
	plDestroyMesh(mesh);
}

TEST(other_versions_and_codings_are_refused_by_name)
{
	CHECK_REFUSED("a.msh", "$MeshFormat\n4.1 2 8\n$EndMeshFormat\n",
	              "a.msh:2: file type 2, it is 0 (ASCII) or 1 (binary)");
	CHECK_REFUSED("a.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n",
	              "a.msh:2: Gmsh format '4' is not read, only 2.2 and 4.1 are");
	CHECK_REFUSED("a.msh", "$NOD\n4\n$ENDNOD\n",
	              "a.msh:1: begins with '$NOD', not with $MeshFormat: not a Gmsh mesh that is read");
	CHECK_REFUSED(
	    "a.msh", HEAD2 NODES2 "$Elements\n1\n8 5 0 1 2 3 4 5 6 7 8\n$EndElements\n",
	    "a.msh:14: element 8: element type 5 (8-node hexahedron) is not read, only linear tets and triangles are");
	CHECK_REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
	              "a.msh:18: element type 11 (10-node second-order tetrahedron) is not read, only linear tets and "
	              "triangles are");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n1\n8 500 0 1 2 3\n$EndElements\n",
	              "a.msh:14: element 8: element type 500 is not known");
}

TEST(counts_are_not_believed)
{
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n1000000000000\n1 0 0 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:5: promises 1000000000000 nodes, the file has room for at most 1");
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n-3\n$EndNodes\n$Elements\n0\n$EndElements\n", "a.msh:5: promises -3 nodes");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n99999999999999999999\n$EndElements\n",
	              "a.msh:13: '99999999999999999999' is not an integer, it should be the number of elements");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n1\n1 4 4000000000 1 2 3 4\n$EndElements\n",
	              "a.msh:14: promises 4000000000 tags of an element, the file has room for at most 5");
	CHECK_REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 1000000000000 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
	              "a.msh:17: promises 1000000000000 elements, the file has room for at most 6");
	CHECK_REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 4 1000000000000\n1 1 2 3 4\n$EndElements\n",
	              "a.msh:18: promises 1000000000000 elements in a block, the file has room for at most 1");
	CHECK_REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
	              "a.msh:19: promises 2 elements, its blocks hold 1");
	CHECK_REFUSED("a.msh", HEAD4 "$Nodes\n1 2 1 2\n3 1 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n0 0 0 0\n$EndElements\n",
	              "a.msh:8: promises 2 nodes, its blocks hold 1");
	CHECK_REFUSED("a.msh",
	              HEAD4 "$Nodes\n1 1 1 2\n3 1 0 2\n1\n2\n0 0 0\n0 0 1\n$EndNodes\n$Elements\n0 0 0 0\n"
	                    "$EndElements\n",
	              "a.msh:6: the node blocks hold more nodes than the 1 of the section's head");
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n2\n1 0 0 0\n2 1 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:8: the section ends after 1 of 2 nodes, where the coordinate of a node should be");
}

TEST(numbers_must_be_finite_numbers)
{
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:6: 'nan' is not a finite number, it should be the coordinate of a node");
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n1\n1 0 1e400 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:6: '1e400' is too large for a number, it should be the coordinate of a node");
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n1\n1 0 -inf 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:6: '-inf' is not a finite number, it should be the coordinate of a node");
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n1\n1 0 0x10 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:6: '0x10' is not a finite number, it should be the coordinate of a node");
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n1\n1 0 1,5 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:6: '1,5' is not a finite number, it should be the coordinate of a node");
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n1\n1.5 0 1 0\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:6: '1.5' is not an integer, it should be the tag of a node");
}

TEST(tags_must_be_there_once)
{
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n2\n1 4 0 10 2 -7 5\n6 4 0 10 2 -7 11\n$EndElements\n",
	              "a.msh:15: element 6: names node 11, which is not in the file");
	CHECK_REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 4 1\n31 1 2 3 5\n$EndElements\n",
	              "a.msh:19: element 31: names node 5, which is not in the file");
	CHECK_REFUSED("a.msh", HEAD2 "$Nodes\n2\n3 0 0 0\n3 0 0 1\n$EndNodes\n$Elements\n0\n$EndElements\n",
	              "a.msh:7: node 3 is there twice");
}

TEST(sections_must_be_whole)
{
	CHECK_REFUSED("a.msh", HEAD2 NODES2, "a.msh:12: there is no section $Elements");
	CHECK_REFUSED("a.msh", HEAD2 "$Elements\n0\n$EndElements\n", "a.msh:7: there is no section $Nodes");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n1\n1 4 0 10 2",
	              "a.msh:12: section '$Elements' has no end, the file may be cut off");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 NODES2, "a.msh:12: a second section '$Nodes'");
	CHECK_REFUSED("a.msh", HEAD2 "garbage\n", "a.msh:4: 'garbage' where a section ($Nodes, ...) should begin");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n1\n1 1 0 10 2\n$EndElements\n",
	              "a.msh: it has 5 vertices and no tets or triangles");
}

TEST(an_element_is_refused_on_its_own_line)
{
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n2\n1 4 2 10 2 -7 5\n6 4 0 10 2 -7 5\n$EndElements\n",
	              "a.msh:14: element 1: the line ends after 2 of 4 nodes");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n2\n1 4 5 10 2 -7 5\n6 4 0 10 2 -7 5\n$EndElements\n",
	              "a.msh:14: element 1: the line ends after 4 of 5 tags");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n2\n1 4 1 1 10 2 -7 5 10\n6 4 0 10 2 -7 5\n$EndElements\n",
	              "a.msh:14: element 1: the line goes on after its last node, with '10'");
	CHECK_REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 4 1\n31 1 2 3\n4\n$EndElements\n",
	              "a.msh:19: element 31: the line ends after 3 of 4 nodes");
	CHECK_REFUSED("a.msh", HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 4 1\n31 1 2 3 4 5\n$EndElements\n",
	              "a.msh:19: element 31: the line goes on after its last node, with '5'");
}

TEST(an_element_of_format_2_in_several_groups_is_one_element)
{
	plMesh* mesh = readText("a.msh", HEAD2 NODES2 "$Elements\n7\n"
	                                              "1 2 2 1 1 10 -7 2\n2 2 2 -3 1 10 2 -7\n" // reversed in the second
	                                              "3 4 2 7 1 10 2 -7 900000000000\n"
	                                              "4 4 2 8 1 10 2 -7 900000000000\n"
	                                              "5 4 2 9 1 10 2 -7 900000000000\n"
	                                              "6 4 2 7 1 2 -7 900000000000 5\n"
	                                              "7 4 2 9 1 2 -7 900000000000 5\n$EndElements\n");
	CHECK_TEXT(problems, "");
	plMeshView m = plMesh_GetView(mesh);
	CHECK(m.tetCount == 2 && m.triangleCount == 1 && m.groupCount == 5);
	CHECK(plMesh_FindGroup(mesh, "7")->elementCount == 2 && plMesh_FindGroup(mesh, "8")->elementCount == 1);
	CHECK(plMesh_FindGroup(mesh, "9")->elementCount == 2 && plMesh_FindGroup(mesh, "3")->elementCount == 1);
	plDestroyMesh(mesh);
	// in the same group again, or in another entity, it is a duplicate
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n2\n3 4 2 7 1 10 2 -7 5\n4 4 2 7 1 10 2 -7 5\n$EndElements\n",
	              "a.msh:15: element 4: duplicate, same corners as element 3");
	CHECK_REFUSED("a.msh", HEAD2 NODES2 "$Elements\n2\n3 4 2 7 1 10 2 -7 5\n4 4 2 8 2 10 2 -7 5\n$EndElements\n",
	              "a.msh:15: element 4: duplicate, same corners as element 3");
}

TEST(a_view_behind_the_mesh_is_left_out_with_a_warning)
{
	plMesh* mesh = readText("a.msh", HEAD4 NODES4 "$Elements\n1 1 1 1\n3 1 4 1\n31 1 2 3 4\n$EndElements\n" HEAD4 NODES4
	                                              "$NodeData\n1\n\"u\"\n0\n0\n$EndNodeData\n");
	CHECK_TEXT(problems, "warning: a.msh:21: a second $MeshFormat: what follows, a view or another mesh, is not read");
	CHECK(plMesh_GetView(mesh).tetCount == 1);
	plDestroyMesh(mesh);
	CHECK_REFUSED("a.msh", HEAD4 HEAD4, "a.msh:4: a second section '$MeshFormat'"); // there is no mesh yet
}

TEST(bad_elements_are_named_as_in_the_file_and_counted)
{
	char text[4096] = HEAD2 NODES2 "$Elements\n10\n17 4 0 10 2 -7 900000000000\n";
	size_t used = strlen(text);
	for (int i = 0; i < 7; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%d 4 0 10 -7 2 5\n", 100 + i);
	snprintf(text + used, sizeof text - used, "50 4 0 10 2 10 5\n51 4 0 5 2 -7 900000000000\n$EndElements\n");
	CHECK_REFUSED("a.msh", text,
	              "a.msh:22: element 50: degenerate, two of its corners are the same vertex\n"
	              "a.msh:15: element 100: inverted, volume -0.167\n"
	              "a.msh:16: element 101: inverted, volume -0.167\n"
	              "a.msh:17: element 102: inverted, volume -0.167\n"
	              "a.msh:18: element 103: inverted, volume -0.167\n"
	              "a.msh:19: element 104: inverted, volume -0.167 (and 3 more)\n"
	              "a.msh:16: element 101: duplicate, same corners as element 100\n"
	              "a.msh:17: element 102: duplicate, same corners as element 100\n"
	              "a.msh:18: element 103: duplicate, same corners as element 100\n"
	              "a.msh:19: element 104: duplicate, same corners as element 100\n"
	              "a.msh:20: element 105: duplicate, same corners as element 100 (and 1 more)");
	plMesh* mesh = readMeshWith("a.msh", pl_repairDrop);
	CHECK_TEXT(problems, "warning: a.msh: 9 elements left out by repair: 1 degenerate, 8 inverted, 0 duplicate\n"
	                     "warning: a.msh: 1 of 5 vertices belong to no tet and stay where they are");
	CHECK(plMesh_GetView(mesh).tetCount == 1);
	plDestroyMesh(mesh);
}

TEST(flip_turns_inverted_elements_of_a_file)
{
	writeText("a.msh", HEAD2 NODES2 "$Elements\n1\n17 4 0 10 -7 2 5\n$EndElements\n");
	plMesh* mesh = readMeshWith("a.msh", pl_repairFlip);
	CHECK_TEXT(problems, "warning: a.msh: 1 inverted elements turned by repair\n"
	                     "warning: a.msh: 1 of 5 vertices belong to no tet and stay where they are");
	plDestroyMesh(mesh);
}

TEST(a_remedy_is_offered_for_bad_elements)
{
	writeText("a.msh", HEAD2 NODES2 "$Elements\n1\n17 4 0 10 -7 2 5\n$EndElements\n");
	plDiagnostics* d = plCreateDiagnostics();
	CHECK(plReadMesh(filePath("a.msh"), pl_repairNone, d) == NULL);
	CHECK(plDiagnostics_GetErrorCount(d) == 1 && strstr(plDiagnostics_GetRemedy(d, 0), "\"repair\": \"drop\"") != NULL);
	plDestroyDiagnostics(d);
}

TEST(a_crowded_face_is_a_warning)
{
	plMesh* mesh = readText("a.msh", HEAD2 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n6 0.1 0.1 2\n"
	                                       "$EndNodes\n$Elements\n3\n7 4 0 1 2 3 4\n8 4 0 1 3 2 5\n9 4 0 1 2 3 6\n"
	                                       "$EndElements\n");
	CHECK_TEXT(problems, "warning: a.msh:15: element 7: shares a face with two or more others (3 elements do)");
	plDestroyMesh(mesh);
}
