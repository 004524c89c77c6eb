#!/bin/bash
# cloth.sh [POINT...]: sheets, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL.
#
#   energies  membranes and bending: derivatives, moduli, rigid motion, float, widths, sweeps
#   strips    heavy strips against the elastica, 40 and 80 cells: plate on equilateral triangles within 6 and 3 %
#   meshes    holes, tubes, spheres, parts, crowds, slivers, fans, bands; what is refused by name; levels of all of them
#   bodies    every law and model by every method, matter that changes, pins that move, rigid bodies beside, wind, pressure
#   files     frames in every format, resume, threads, fabrics, a seed of the fuzzer for every key, golden hashes
#   pages     every command and scene of the pages, the tutorial's too
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

point_energies()
{
	measure energies "membranes, bending, the backend" tests '^(energy_triangle|energy_bend|energy_elastica|backend_sheet)_test$'
}

point_strips()
{
	measure strips "every pattern and model" build/tests/energy_elastica_test --long table
}

point_meshes()
{
	measure meshes "surfaces, levels, refusals" \
		tests '^(mesh_sheet|mesh_generate|world_cloth_mesh|sparse_hierarchy|sparse_multigrid|io_scene_cloth)_test$'
}

point_bodies()
{
	measure bodies "worlds of cloth" \
		tests '^(world_cloth|world_cloth_matter|world_cloth_attach|world_cloth_query|world_wind|world_pressure)_test$'
}

point_files()
{
	measure files "files, seeds, hashes" tests '^(app_cloth|io_vtu|io_cache|io_schema|fuzz_replay|determinism_golden)_test$'
}

point_pages()
{
	measure pages "every example" tests '^app_examples_test$'
}

run_points "energies strips meshes bodies files pages" "$@"
