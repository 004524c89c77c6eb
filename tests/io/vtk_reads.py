"""vtk_reads.py: VTK opens the frames of a run and finds what DESIGN promises in them

    vtk_reads.py DIR NAME VERTICES TETS STEP...

Exit status 0 if all is as stated, 1 with words if not, 77 if VTK is not installed.
"""
import os
import sys
import xml.etree.ElementTree

try:
    import vtk
except ImportError:
    print("skipped: python3-vtk9 is not installed")
    sys.exit(77)


def fail(words):
    print(words)
    sys.exit(1)


def numbers(array):
    return [array.GetComponent(i, k)
            for i in range(array.GetNumberOfTuples()) for k in range(array.GetNumberOfComponents())]


def check(path, vertices, tets):
    reader = vtk.vtkXMLUnstructuredGridReader()
    problems = []
    reader.AddObserver("ErrorEvent", lambda *_: problems.append(path))
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    if problems:
        fail(f"{path}: VTK reports an error")
    if grid.GetNumberOfPoints() != vertices or grid.GetNumberOfCells() != tets:
        fail(f"{path}: {grid.GetNumberOfPoints()} points and {grid.GetNumberOfCells()} cells")
    for name in ("displacement", "velocity", "contact_force", "pin_force", "residual"):
        array = grid.GetPointData().GetArray(name)
        if array is None or array.GetNumberOfComponents() != 3 or array.GetDataType() != vtk.VTK_DOUBLE:
            fail(f"{path}: point field {name} is missing, or not three doubles")
    for name in ("von_mises_stress", "det_F"):
        array = grid.GetCellData().GetArray(name)
        if array is None or array.GetNumberOfComponents() != 1 or array.GetDataType() != vtk.VTK_DOUBLE:
            fail(f"{path}: cell field {name} is missing, or not one double")
    if grid.GetPoints().GetData().GetDataType() != vtk.VTK_DOUBLE:
        fail(f"{path}: points are not doubles")
    for i in range(tets):
        if grid.GetCellType(i) != vtk.VTK_TETRA:
            fail(f"{path}: cell {i} is not a tetrahedron")
    size = vtk.vtkCellSizeFilter()
    size.SetInputData(grid)
    size.Update()
    volumes = numbers(size.GetOutput().GetCellData().GetArray("Volume"))
    if not min(volumes) > 0:
        fail(f"{path}: tetrahedra with volume {min(volumes)}")
    return grid


def main():
    folder, name = sys.argv[1:3]
    vertices, tets = int(sys.argv[3]), int(sys.argv[4])
    steps = [int(step) for step in sys.argv[5:]]
    listed = xml.etree.ElementTree.parse(os.path.join(folder, name + ".pvd")).getroot().find("Collection")
    times = {data.get("file"): float(data.get("timestep")) for data in listed}
    expected = [f"{name}_{step:06d}.vtu" for step in steps]
    if list(times) != expected:
        fail(f"{name}.pvd lists {list(times)}, expected {expected}")
    present = sorted(file for file in os.listdir(folder) if file.endswith(".vtu"))
    if present != sorted(expected):
        fail(f"{folder} holds {present}, expected {expected}")
    rest = None
    for file in expected:
        grid = check(os.path.join(folder, file), vertices, tets)
        time = grid.GetFieldData().GetArray("TimeValue").GetValue(0)
        if time != times[file]:
            fail(f"{file}: TimeValue {time}, the .pvd says {times[file]}")
        points = numbers(grid.GetPoints().GetData())
        moved = numbers(grid.GetPointData().GetArray("displacement"))
        start = [x - u for x, u in zip(points, moved)]
        rest = start if rest is None else rest
        if max(abs(a - b) for a, b in zip(start, rest)) > 1e-12:
            fail(f"{file}: points minus displacement is not the rest shape")
    print(f"{len(expected)} frames of {vertices} points and {tets} tetrahedra are as stated")


main()
