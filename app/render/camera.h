// camera.h: where the picture is taken from, and what has to be in it
#ifndef PL_RENDER_CAMERA_H
#define PL_RENDER_CAMERA_H

typedef struct plCamera
{
	double eye[3];
	double target[3];
	double fov; // vertical, degrees
} plCamera;

// The outermost points in many directions of everything that will be shown, and the box around it.
#define PL_OUTLINE_COUNT 128

typedef struct plOutline
{
	double directions[PL_OUTLINE_COUNT][3];
	double points[PL_OUTLINE_COUNT][3];
	double reach[PL_OUTLINE_COUNT]; // of the point in its direction; -INFINITY: no point yet
	double low[3], high[3];
} plOutline;

plOutline plMakeOutline(void);
void plOutline_Add(plOutline* outline, const double point[3]);

// Unit direction from the box to the eye: three quarters, slightly above, facing the broad side of the box.
void plChooseView(const double low[3], const double high[3], double direction[3]);

// The closest camera looking against `direction` that has the outline in its picture, with a margin.
// aspect = width / height.
plCamera plFitCamera(const plOutline* outline, const double direction[3], double aspect, double fov);

// Axes of the camera: right, up, and back (from target to eye). Looking straight up or down, -z is up.
void plCamera_GetAxes(const plCamera* camera, double right[3], double up[3], double back[3]);

// Projection times view, column by column, after the world was moved by -origin and divided by `scale`.
void plCamera_GetMatrix(const plCamera* camera, double aspect, const double origin[3], double scale, double near,
                        double far, float matrix[16]);

#endif
