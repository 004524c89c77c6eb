// vtu_test.c: frames are read back as they were written, and damaged ones are refused
#include "test.h"
#include "scratch.h"

#include "file.h"
#include "pliant/io.h"
#include "vtu.h"

// Two tets that share a face, and fields that no two places share.
static plFrame* makeFrame(void)
{
	static const uint32_t tets[8] = {0, 1, 2, 3, 1, 2, 3, 4};
	plFrame* frame = plFrame_Create(5, 2, 0);
	uint64_t seed = 7;
	memcpy(frame->tets, tets, sizeof tets);
	for (int i = 0; i < 15; ++i)
	{
		frame->positions[i] = testRandom(&seed);
		frame->displacement[i] = 1e-300 * testRandom(&seed);
		frame->velocity[i] = 1e300 * testRandom(&seed);
		frame->contactForce[i] = -testRandom(&seed);
		frame->pinForce[i] = 2.0 * testRandom(&seed);
		frame->residual[i] = 3.0 * testRandom(&seed);
	}
	for (int i = 0; i < 2; ++i)
	{
		frame->blend[i] = 0.25 + 0.5 * i;
		frame->vonMises[i] = 1e5 + i;
		frame->detF[i] = -0.5 * i;
	}
	return frame;
}

static bool sameFrame(const plFrame* a, const plFrame* b)
{
	return a->vertexCount == b->vertexCount && a->tetCount == b->tetCount &&
	       memcmp(a->positions, b->positions, 24 * a->vertexCount) == 0 &&
	       memcmp(a->displacement, b->displacement, 24 * a->vertexCount) == 0 &&
	       memcmp(a->velocity, b->velocity, 24 * a->vertexCount) == 0 &&
	       memcmp(a->contactForce, b->contactForce, 24 * a->vertexCount) == 0 &&
	       memcmp(a->pinForce, b->pinForce, 24 * a->vertexCount) == 0 &&
	       memcmp(a->residual, b->residual, 24 * a->vertexCount) == 0 &&
	       memcmp(a->vonMises, b->vonMises, 8 * a->tetCount) == 0 && memcmp(a->detF, b->detF, 8 * a->tetCount) == 0 &&
	       a->hasBlend == b->hasBlend && (!a->hasBlend || memcmp(a->blend, b->blend, 8 * a->tetCount) == 0) &&
	       memcmp(a->tets, b->tets, 16 * a->tetCount) == 0;
}

TEST(a_frame_reads_back_bit_for_bit)
{
	plError error = {0};
	plFrame* frame = makeFrame();
	CHECK(plWriteVtu(scratchPath("a.vtu"), frame, 0.1, &error) == pl_success);
	plFrame* back = plReadVtu(scratchPath("a.vtu"), &error);
	CHECK(back != NULL && sameFrame(frame, back));
	plDestroyFrame(back);
	plDestroyFrame(frame);
}

TEST(weights_of_conversion_are_in_frames_of_bodies_that_convert)
{
	plError error = {0};
	plFrame* frame = makeFrame();
	size_t bytes[2];
	for (int with = 0; with < 2; ++with)
	{
		frame->hasBlend = with;
		CHECK(plWriteVtu(scratchPath("blend.vtu"), frame, 0.1, &error) == pl_success);
		char* text = plFile_ReadAll(scratchPath("blend.vtu"), &bytes[with], &error);
		CHECK(text != NULL && (strstr(text, "Name=\"blend\"") != NULL) == with);
		free(text);
		plFrame* back = plReadVtu(scratchPath("blend.vtu"), &error);
		CHECK(back != NULL && sameFrame(frame, back));
		plDestroyFrame(back);
	}
	CHECK(bytes[1] > bytes[0] + 8 + 2 * sizeof(double));
	plDestroyFrame(frame);
}

// A tet has one for each of its triangles that crosses; a triangle of cloth has its own.
TEST(crossings_are_marked_at_the_cells_they_belong_to)
{
	plError error = {0};
	const plBodyId body = {1, 1}, other = {2, 1};
	const plCrossing crossings[] = {{{body, body}, {0, 5}, {{0, 2, 1}, {4, 2, 3}}},
	                                {{body, other}, {3, 0}, {{1, 3, 4}, {0, 1, 2}}},
	                                {{other, other}, {1, 2}, {{0, 1, 2}, {1, 2, 3}}}};
	plFrame* frame = makeFrame();
	CHECK(plFrame_MarkCrossings(frame, body, crossings, 3, &error) == pl_success);
	CHECK(frame->hasCrossing && frame->crossing[0] == 1.0 && frame->crossing[1] == 2.0);
	CHECK(plWriteVtu(scratchPath("crossing.vtu"), frame, 0.1, &error) == pl_success);
	plFrame* back = plReadVtu(scratchPath("crossing.vtu"), &error);
	CHECK(back != NULL && sameFrame(frame, back) && back->hasCrossing);
	CHECK(memcmp(back->crossing, frame->crossing, 2 * sizeof(double)) == 0);
	plDestroyFrame(back);
	plDestroyFrame(frame);
	plFrame* sheet = plFrame_Create(5, 0, 6);
	sheet->isCloth = true;
	CHECK(plFrame_MarkCrossings(sheet, body, crossings, 3, &error) == pl_success);
	const double expected[6] = {1.0, 0.0, 0.0, 1.0, 0.0, 1.0};
	CHECK(memcmp(sheet->crossing, expected, sizeof expected) == 0);
	plDestroyFrame(sheet);
}

// Older files have neither.
TEST(a_frame_without_forces_of_pins_and_residuals_has_zeros)
{
	plError error = {0};
	plFrame* frame = makeFrame();
	CHECK(plWriteVtu(scratchPath("old.vtu"), frame, 0.1, &error) == pl_success);
	size_t bytes;
	char* data = scratchRead("old.vtu", &bytes);
	memcpy(strstr(data, "\"pin_force\""), "\"pen_force\"", 11);
	memcpy(strstr(data, "\"residual\""), "\"residues\"", 10);
	scratchWrite("old.vtu", data, bytes);
	plFrame* back = plReadVtu(scratchPath("old.vtu"), &error);
	CHECK(back != NULL && !sameFrame(frame, back));
	for (int i = 0; i < 15; ++i)
		frame->pinForce[i] = frame->residual[i] = 0.0;
	CHECK(sameFrame(frame, back));
	free(data);
	plDestroyFrame(back);
	plDestroyFrame(frame);
}

// Two triangles of body 0 and one of body 70000.
static plFrame* makeRigidFrame(void)
{
	static const uint32_t triangles[9] = {0, 1, 2, 0, 2, 3, 4, 3, 1}, bodies[3] = {0, 0, 70000};
	plFrame* frame = plFrame_Create(5, 0, 3);
	uint64_t seed = 11;
	memcpy(frame->triangles, triangles, sizeof triangles);
	memcpy(frame->bodies, bodies, sizeof bodies);
	for (int i = 0; i < 15; ++i)
	{
		frame->positions[i] = testRandom(&seed);
		frame->displacement[i] = testRandom(&seed);
		frame->velocity[i] = testRandom(&seed);
	}
	return frame;
}

TEST(a_frame_of_rigid_bodies_has_triangles_and_reads_back_bit_for_bit)
{
	plError error = {0};
	plFrame* frame = makeRigidFrame();
	size_t bytes;
	CHECK(plWriteVtu(scratchPath("rigid.vtu"), frame, 0.1, &error) == pl_success);
	char* text = scratchRead("rigid.vtu", &bytes);
	CHECK(strstr(text, "NumberOfCells=\"3\"") != NULL && strstr(text, "Name=\"body\"") != NULL);
	CHECK(strstr(text, "Name=\"det_F\"") == NULL && strstr(text, "Name=\"contact_force\"") == NULL);
	free(text);
	plFrame* back = plReadVtu(scratchPath("rigid.vtu"), &error);
	CHECK(back != NULL && back->vertexCount == 5 && back->tetCount == 0 && back->triangleCount == 3);
	CHECK(memcmp(back->positions, frame->positions, 120) == 0 && memcmp(back->velocity, frame->velocity, 120) == 0 &&
	      memcmp(back->displacement, frame->displacement, 120) == 0);
	CHECK(memcmp(back->triangles, frame->triangles, 36) == 0 && memcmp(back->bodies, frame->bodies, 12) == 0);
	plDestroyFrame(back);
	plDestroyFrame(frame);
}

TEST(damaged_frames_of_rigid_bodies_are_refused)
{
	plError error = {0};
	plFrame* frame = makeRigidFrame();
	CHECK(plWriteVtu(scratchPath("rigid.vtu"), frame, 0.1, &error) == pl_success);
	plDestroyFrame(frame);
	size_t bytes;
	char* data = scratchRead("rigid.vtu", &bytes);
	char* types = data + bytes - strlen("\n  </AppendedData>\n</VTKFile>\n") - 3;
	char* bodies = types - 8 - (8 + 24) - (8 + 72) - 24; // before them: offsets and connectivity with their counts
	CHECK(types[0] == 5);
	types[1] = 10;
	scratchWrite("bad.vtu", data, bytes);
	CHECK(plReadVtu(scratchPath("bad.vtu"), &error) == NULL &&
	      strstr(error.message, "cell 1 is not a triangle") != NULL);
	types[1] = 5;
	bodies[8 + 7] = (char)0x80;
	scratchWrite("bad.vtu", data, bytes);
	CHECK(plReadVtu(scratchPath("bad.vtu"), &error) == NULL && strstr(error.message, "cell 1 is of body -") != NULL);
	bodies[8 + 7] = 0;
	for (size_t length = 0; length < bytes - 40; length += 7) // cut off anywhere
	{
		scratchWrite("bad.vtu", data, length);
		CHECK(plReadVtu(scratchPath("bad.vtu"), &error) == NULL && error.message[0] != 0);
	}
	free(data);
}

TEST(a_frame_of_cloth_has_stretches_and_reads_back_bit_for_bit)
{
	static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
	plError error = {0};
	plFrame* frame = plFrame_Create(4, 0, 2);
	double* fields[] = {frame->stretch0, frame->stretch1, frame->tension, frame->curvature};
	double* points[] = {frame->positions,    frame->displacement, frame->velocity,
	                    frame->contactForce, frame->pinForce,     frame->residual};
	uint64_t seed = 12;
	frame->isCloth = true;
	memcpy(frame->triangles, triangles, sizeof triangles);
	for (int i = 0; i < 8; ++i)
		fields[i / 2][i % 2] = testRandom(&seed);
	for (int i = 0; i < 72; ++i)
		points[i / 12][i % 12] = testRandom(&seed);
	CHECK(plWriteVtu(scratchPath("cloth.vtu"), frame, 0.1, &error) == pl_success);
	plFrame* back = plReadVtu(scratchPath("cloth.vtu"), &error);
	CHECK(back != NULL && back->isCloth && back->tetCount == 0 && back->triangleCount == 2);
	CHECK(memcmp(back->triangles, triangles, sizeof triangles) == 0);
	CHECK(memcmp(back->stretch0, frame->stretch0, 16) == 0 && memcmp(back->stretch1, frame->stretch1, 16) == 0);
	CHECK(memcmp(back->tension, frame->tension, 16) == 0 && memcmp(back->curvature, frame->curvature, 16) == 0);
	CHECK(memcmp(back->residual, frame->residual, 96) == 0 && memcmp(back->pinForce, frame->pinForce, 96) == 0);
	plDestroyFrame(back);
	plDestroyFrame(frame);
}

TEST(a_frame_of_nothing_reads_back)
{
	plError error = {0};
	plFrame* frame = plFrame_Create(0, 0, 0);
	CHECK(plWriteVtu(scratchPath("empty.vtu"), frame, 0.0, &error) == pl_success);
	plFrame* back = plReadVtu(scratchPath("empty.vtu"), &error);
	CHECK(back != NULL && back->vertexCount == 0 && back->tetCount == 0);
	plDestroyFrame(back);
	plDestroyFrame(frame);
}

TEST(no_temporary_stays_beside_a_frame)
{
	plError error = {0};
	plFrame* frame = makeFrame();
	CHECK(plWriteVtu(scratchPath("b.vtu"), frame, 0.1, &error) == pl_success);
	CHECK(plFile_Exists(scratchPath("b.vtu")) && !plFile_Exists(scratchPath("b.vtu" PL_TEMPORARY_ENDING)));
	plDestroyFrame(frame);
}

TEST(a_frame_that_cannot_be_written_says_where_and_why)
{
	plError error = {0};
	plFrame* frame = makeFrame();
	CHECK(plWriteVtu(scratchPath("no/such/folder.vtu"), frame, 0.1, &error) == pl_errorFile);
	CHECK(strstr(error.message, "no/such/folder.vtu") != NULL && strstr(error.message, "No such file") != NULL);
	CHECK(plWriteVtu("/dev/full/x", frame, 0.1, &error) == pl_errorFile);
	plDestroyFrame(frame);
}

TEST(a_missing_frame_and_a_folder_are_refused)
{
	plError error = {0};
	CHECK(plReadVtu(scratchPath("nothing.vtu"), &error) == NULL && error.code == pl_errorFile);
	CHECK(plReadVtu(".", &error) == NULL && strstr(error.message, "is not a file") != NULL);
}

// Every shorter file: the last that may be accepted is one that lacks closing tags only.
TEST(a_truncated_frame_is_refused)
{
	plError error = {0};
	plFrame* frame = makeFrame();
	CHECK(plWriteVtu(scratchPath("c.vtu"), frame, 0.1, &error) == pl_success);
	size_t bytes;
	char* data = scratchRead("c.vtu", &bytes);
	size_t tail = strlen("\n  </AppendedData>\n</VTKFile>\n");
	for (size_t n = 0; n < bytes - tail; ++n)
	{
		scratchWrite("cut.vtu", data, n);
		plFrame* back = plReadVtu(scratchPath("cut.vtu"), &error);
		CHECK(back == NULL);
		CHECK(error.message[0] != '\0');
	}
	free(data);
	plDestroyFrame(frame);
}

// One byte after the other is changed: refused or read, but never beyond the arrays (the sanitizers watch).
TEST(a_frame_with_a_wrong_byte_never_reads_outside)
{
	plError error = {0};
	plFrame* frame = makeFrame();
	CHECK(plWriteVtu(scratchPath("d.vtu"), frame, 0.1, &error) == pl_success);
	size_t bytes;
	char* data = scratchRead("d.vtu", &bytes);
	for (size_t i = 0; i < bytes; ++i)
	{
		char was = data[i];
		static const char wrong[] = {'9', '\0', '\xff', '"'};
		for (size_t k = 0; k < sizeof wrong; ++k)
		{
			data[i] = wrong[k];
			scratchWrite("wrong.vtu", data, bytes);
			plFrame* back = plReadVtu(scratchPath("wrong.vtu"), &error);
			for (size_t t = 0; back != NULL && t < 4 * back->tetCount; ++t)
				CHECK(back->tets[t] < back->vertexCount);
			plDestroyFrame(back);
		}
		data[i] = was;
	}
	free(data);
	plDestroyFrame(frame);
}

TEST(a_promise_of_a_trillion_points_is_refused)
{
	static const char text[] = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
	                           "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
	                           "<Piece NumberOfPoints=\"1000000000000\" NumberOfCells=\"1\">\n" PL_VTU_APPENDED "abc";
	plError error = {0};
	scratchWrite("promise.vtu", text, sizeof text);
	CHECK(plReadVtu(scratchPath("promise.vtu"), &error) == NULL);
	CHECK(strstr(error.message, "promises 1000000000000 points") != NULL);
}

TEST(a_surface_keeps_all_vertices_in_order)
{
	plError error = {0};
	const double positions[9] = {0.1, 0.0, -1.0 / 3.0, 1.0, 2.0, 3.0, 1e-30, 1e30, 5.0};
	const uint32_t faces[3] = {2, 0, 1};
	CHECK(plWriteSurfaceObj(scratchPath("s.obj"), positions, 3, faces, 1, &error) == pl_success);
	size_t bytes;
	char* data = scratchRead("s.obj", &bytes);
	data[bytes] = '\0';
	CHECK_TEXT(data, "v 0.1 0 -0.33333333333333331\nv 1 2 3\nv 1e-30 1e+30 5\nf 3 1 2\n");
	free(data);
}

TEST(a_collection_lists_frames_with_times_and_escapes_names)
{
	plError error = {0};
	const uint64_t steps[3] = {0, 20, 1234567};
	CHECK(plWritePvd(scratchPath("p.pvd"), "a<&\"b", steps, 3, 0.5, &error) == pl_success);
	size_t bytes;
	char* data = scratchRead("p.pvd", &bytes);
	data[bytes] = '\0';
	CHECK(strstr(data, "timestep=\"0\" part=\"0\" file=\"a&lt;&amp;&quot;b_000000.vtu\"") != NULL);
	CHECK(strstr(data, "timestep=\"10\" part=\"0\" file=\"a&lt;&amp;&quot;b_000020.vtu\"") != NULL);
	CHECK(strstr(data, "timestep=\"617283.5\" part=\"0\" file=\"a&lt;&amp;&quot;b_1234567.vtu\"") != NULL);
	free(data);
}
