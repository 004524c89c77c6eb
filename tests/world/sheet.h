// sheet.h: small worlds of one cloth
#ifndef PL_TEST_SHEET_H
#define PL_TEST_SHEET_H

#include "fixture.h"

// A cloth of `law` and `model`, 0.2 kg/m^2, 1000 N/m, that bends as fabric does
static inline plClothDef clothOf(plMembraneLaw law, plBendingModel model)
{
	plClothDef def = plDefaultClothDef();
	def.membrane.law = law;
	def.membrane.young = 2e6; // times 0.5 mm
	def.membrane.limitStiffness = 2e3;
	def.bending.model = model;
	def.bending.stiffness = 2e-5;
	return def;
}

// A rectangle of cells in the plane z = 0, turned as the def says.
static inline Fixture makeSheet(const plWorldDef* worldDef, const plClothDef* clothDef, double width, double height,
                                const size_t cells[2], plClothPattern pattern)
{
	Fixture f = {0};
	plMesh* mesh = plCreateClothMesh(width, height, cells, pattern, NULL, NULL);
	plClothDef def = *clothDef;
	def.mesh = mesh;
	f.world = plCreateWorld(worldDef, &f.error);
	if (f.world != NULL && mesh != NULL)
		f.body = plCreateCloth(f.world, &def, &f.error);
	plDestroyMesh(mesh);
	if (PL_IS_NULL(f.body))
	{
		fprintf(stderr, "sheet: %s\n", mesh == NULL ? "there is no mesh" : f.error.message);
		exit(1);
	}
	f.n = plBody_GetVertexCount(f.world, f.body);
	f.m = plBody_GetTriangleCount(f.world, f.body);
	return f;
}

// Lying in the plane y = 0, front upwards: x stays, y becomes -z.
static inline plTransform lying(void)
{
	plTransform t = plTransform_identity;
	t.rotation = plQuat_FromAxisAngle((plVec3){1.0, 0.0, 0.0}, -1.5707963267948966);
	return t;
}

static inline void pinPoint(Fixture* f, double x, double y, double z)
{
	pinBox(f, (plVec3){x - 1e-6, y - 1e-6, z - 1e-6}, (plVec3){x + 1e-6, y + 1e-6, z + 1e-6}, pl_axisAll);
}

// Held at two corners, it falls and swings.
static inline Fixture makeFlag(const plWorldDef* worldDef, const plClothDef* clothDef, const size_t cells[2])
{
	plClothDef def = *clothDef;
	def.transform = lying();
	Fixture f = makeSheet(worldDef, &def, 1.0, 1.0, cells, pl_clothEquilateral);
	pinPoint(&f, -0.5, 0.0, -0.5);
	pinPoint(&f, 0.5, 0.0, -0.5);
	return f;
}

#endif
