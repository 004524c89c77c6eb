// camera.h: where the picture is taken from
#ifndef PL_RENDER_CAMERA_H
#define PL_RENDER_CAMERA_H

typedef struct plCamera
{
	double eye[3];
	double target[3];
	double fov; // vertical, degrees
} plCamera;

// Unit direction from the box to the eye: three quarters, slightly above, facing the broad side of the box.
void plChooseView(const double low[3], const double high[3], double direction[3]);

// The closest camera looking against `direction` that has the whole box in its picture, with a margin.
// aspect = width / height.
plCamera plFitCamera(const double low[3], const double high[3], const double direction[3], double aspect, double fov);

// Axes of the camera: right, up, and back (from target to eye). Looking straight up or down, -z is up.
void plCamera_GetAxes(const plCamera* camera, double right[3], double up[3], double back[3]);

// Projection times view, column by column, after the world was moved by -origin and divided by `scale`.
void plCamera_GetMatrix(const plCamera* camera, double aspect, const double origin[3], double scale, double near,
                        double far, float matrix[16]);

#endif
