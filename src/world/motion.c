// motion.c: rigid motions, as functions of time
//
//   x(t) = c + R(t) (X - c) + d(t),   X where a point was when its pin or collider was made, c the centre
//
//   line   s = ease(clamp((t - from)/(until - from), 0, 1)),   d = s translate,   R = R(axis, s angle)
//   keys   the same between key i and the next, s from 0 to 1:  d = d_i + s (d_next - d_i),   R by the angle if both
//          keys have one axis, else R_i (R_i' R_next)^s, on the shorter way
//   sine   s = sin(2 pi f (clamp(t, from, until) - from) + phase),   d = s translate,   R = R(axis, s angle)
//
//   ease   linear s,   smooth s^2 (3 - 2 s): speed 0 at both ends
//
// At the ends of a stretch there is no arithmetic: what was asked for comes out to the last bit.
#include "motion.h"
#include "../base/number.h"
#include "../base/rotation.h"

#include <math.h>

static const double twoPi = 6.283185307179586476925;

static bool isZero(plVec3 a)
{
	return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static plResult checkTimes(const plMotion* m, const char* what, plError* error)
{
	bool endless = m->kind == pl_motionSine && m->until == INFINITY;
	if (!isfinite(m->from) || (!isfinite(m->until) && !endless))
		return plFailAt(error, "motion.until", "%s: the times of the motion are not finite", what);
	bool late = m->until > m->from || (m->until == m->from && !plMotion_IsMoving(m));
	if (!late)
		return plFailAt(error, "motion.until",
		                "%s: the motion ends at %g s, it must end after it starts at %g s: set `until`", what, m->until,
		                m->from);
	return pl_success;
}

static plResult checkKeys(const plMotion* m, const char* what, plError* error)
{
	if (m->keyCount < 2 || m->keys == NULL)
		return plFailAt(error, "motion.keys", "%s: the motion has %zu keys, it needs two at least", what,
		                m->keys != NULL ? m->keyCount : 0);
	for (size_t i = 0; i < m->keyCount; ++i)
	{
		const plMotionKey* key = m->keys + i;
		if (!isfinite(key->time) || !plVec3_IsFinite(key->translate) || !plVec3_IsFinite(key->rotateAxis) ||
		    !isfinite(key->rotateAngle))
			return plFailAt(error, "motion.keys", "%s: key %zu of the motion is not finite", what, i);
		if (i > 0 && !(key->time > key[-1].time))
			return plFailAt(error, "motion.keys",
			                "%s: key %zu of the motion is at %g s, not later than the one before, %g s", what, i,
			                key->time, key[-1].time);
		if (key->rotateAngle != 0.0 && isZero(key->rotateAxis))
			return plFailAt(error, "motion.keys", "%s: key %zu of the motion turns about an axis without direction",
			                what, i);
	}
	return pl_success;
}

plResult plMotion_Check(const plMotion* m, const char* what, plError* error)
{
	if ((int)m->kind < 0 || m->kind >= pl_motionCount)
		return plFailAt(error, "motion.kind", "%s: kind %d of motion does not exist", what, (int)m->kind);
	if ((int)m->ease < 0 || m->ease >= pl_easeCount)
		return plFailAt(error, "motion.ease", "%s: ease %d of a motion does not exist", what, (int)m->ease);
	if (m->hasCentre && !plVec3_IsFinite(m->centre))
		return plFailAt(error, "motion.centre", "%s: the centre of the motion is not finite", what);
	if (m->kind == pl_motionKeys)
		return checkKeys(m, what, error);
	if (!plVec3_IsFinite(m->translate) || !plVec3_IsFinite(m->rotateAxis) || !isfinite(m->rotateAngle))
		return plFailAt(error, "motion", "%s: the motion is not finite", what);
	if (m->rotateAngle != 0.0 && isZero(m->rotateAxis))
		return plFailAt(error, "motion.rotateAxis", "%s: the axis of rotation has no direction", what);
	if (m->kind == pl_motionSine && !(m->frequency > 0.0 && isfinite(m->frequency)))
		return plFailAt(error, "motion.frequency", "%s: the motion's frequency is %g Hz, it must be above 0", what,
		                m->frequency);
	if (m->kind == pl_motionSine && !isfinite(m->phase))
		return plFailAt(error, "motion.phase", "%s: the phase of the motion is not finite", what);
	return checkTimes(m, what, error);
}

plResult plTransform_Check(const plTransform* t, const char* what, plError* error)
{
	double norm = plQuat_GetNorm(t->rotation);
	if (!(t->scale > 0.0) || !isfinite(t->scale))
		return plFailAt(error, "transform.scale", "%s: the scale of the transform is %g, it must be above 0", what,
		                t->scale);
	if (!(fabs(norm - 1.0) < 1e-6))
		return plFailAt(error, "transform.rotation",
		                "%s: the rotation of the transform is not a unit quaternion (norm %g)", what, norm);
	if (!plVec3_IsFinite(t->translation))
		return plFailAt(error, "transform.translation", "%s: the translation of the transform is not finite", what);
	return pl_success;
}

// ---- copies ---------------------------------------------------------------------------------------------------------

static plVec3 unitAxis(plVec3 a)
{
	double norm = sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
	return norm > 0.0 ? (plVec3){a.x / norm, a.y / norm, a.z / norm} : a;
}

bool plMotion_Copy(plMotion* copy, const plMotion* motion, const double centre[3], plHeap* heap)
{
	*copy = *motion;
	copy->keyCount = motion->kind == pl_motionKeys ? motion->keyCount : 0;
	copy->keys = NULL;
	copy->rotateAxis = unitAxis(motion->rotateAxis);
	if (!motion->hasCentre)
		copy->centre = (plVec3){centre[0], centre[1], centre[2]};
	if (copy->keyCount == 0)
		return true;
	plMotionKey* keys = PL_NEW(heap, plMotionKey, copy->keyCount);
	copy->keys = keys;
	for (size_t i = 0; keys != NULL && i < copy->keyCount; ++i)
	{
		keys[i] = motion->keys[i];
		keys[i].rotateAxis = unitAxis(keys[i].rotateAxis);
	}
	return keys != NULL;
}

void plMotion_Free(plMotion* motion, plHeap* heap)
{
	PL_FREE(heap, (plMotionKey*)motion->keys, motion->keyCount);
	motion->keys = NULL;
	motion->keyCount = 0;
}

// ---- poses ----------------------------------------------------------------------------------------------------------

plPose plPose_Blend(const plPose* a, const plPose* b, double s)
{
	if (s <= 0.0 || s >= 1.0)
		return s <= 0.0 ? *a : *b;
	plPose pose = {.turn = plQuat_Blend(a->turn, b->turn, s)};
	for (size_t i = 0; i < 3; ++i)
		pose.move[i] = a->move[i] + s * (b->move[i] - a->move[i]);
	return pose;
}

void plPose_Apply(const plPose* pose, plVec3 centre, const double from[3], double to[3])
{
	double x[3] = {from[0] - centre.x, from[1] - centre.y, from[2] - centre.z};
	plQuat_Rotate(pose->turn, x, x);
	to[0] = centre.x + x[0] + pose->move[0];
	to[1] = centre.y + x[1] + pose->move[1];
	to[2] = centre.z + x[2] + pose->move[2];
}

plTransform plPose_GetTransform(const plPose* pose, plVec3 centre)
{
	double c[3] = {centre.x, centre.y, centre.z}, turned[3];
	plQuat_Rotate(pose->turn, c, turned);
	return (plTransform){
	    1.0,
	    pose->turn,
	    {c[0] - turned[0] + pose->move[0], c[1] - turned[1] + pose->move[1], c[2] - turned[2] + pose->move[2]}};
}

plPose plPose_FromTransform(const plTransform* transform, plVec3 centre)
{
	plQuat r = plQuat_Normalise(transform->rotation);
	double c[3] = {centre.x, centre.y, centre.z}, turned[3];
	plQuat_Rotate(r, c, turned);
	return (plPose){r,
	                {transform->translation.x + (turned[0] - c[0]), transform->translation.y + (turned[1] - c[1]),
	                 transform->translation.z + (turned[2] - c[2])}};
}

// ---- in time --------------------------------------------------------------------------------------------------------

static bool moves(plVec3 translate, double angle)
{
	return angle != 0.0 || !isZero(translate);
}

bool plMotion_IsMoving(const plMotion* m)
{
	if (m->kind != pl_motionKeys)
		return moves(m->translate, m->rotateAngle);
	bool any = false;
	for (size_t i = 0; i < m->keyCount; ++i)
		any = any || moves(m->keys[i].translate, m->keys[i].rotateAngle);
	return any;
}

static double easeOf(const plMotion* m, double s)
{
	return m->ease == pl_easeSmooth ? s * s * (3.0 - 2.0 * s) : s;
}

// Part s of a motion by `translate` and `angle`
static plPose poseOf(plVec3 translate, plVec3 axis, double angle, double s)
{
	return (plPose){plQuat_FromAxisAngle(axis, s * angle), {s * translate.x, s * translate.y, s * translate.z}};
}

static plPose keyPose(const plMotionKey* key)
{
	return poseOf(key->translate, key->rotateAxis, key->rotateAngle, 1.0);
}

static bool isSameAxis(plVec3 a, plVec3 b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Part s of the way from a key to the next.
static plPose poseBetween(const plMotionKey* a, const plMotionKey* b, double s)
{
	plPose from = keyPose(a), to = keyPose(b), pose = plPose_Blend(&from, &to, s);
	bool oneAxis = a->rotateAngle == 0.0 || b->rotateAngle == 0.0 || isSameAxis(a->rotateAxis, b->rotateAxis);
	if (oneAxis && s > 0.0 && s < 1.0)
		pose.turn = plQuat_FromAxisAngle(a->rotateAngle != 0.0 ? a->rotateAxis : b->rotateAxis,
		                                 a->rotateAngle + s * (b->rotateAngle - a->rotateAngle));
	return pose;
}

static plPose keysPose(const plMotion* m, double time)
{
	size_t low = 0, high = m->keyCount - 1; // the last key that is not later than `time`
	if (time >= m->keys[high].time)
		return keyPose(m->keys + high);
	while (high - low > 1)
	{
		size_t middle = low + (high - low) / 2;
		if (m->keys[middle].time <= time)
			low = middle;
		else
			high = middle;
	}
	const plMotionKey *a = m->keys + low, *b = a + 1;
	return poseBetween(a, b, time <= a->time ? 0.0 : easeOf(m, (time - a->time) / (b->time - a->time)));
}

static double lineFraction(const plMotion* m, double time)
{
	if (time >= m->until)
		return 1.0;
	return time <= m->from ? 0.0 : easeOf(m, (time - m->from) / (m->until - m->from));
}

plPose plMotion_GetPose(const plMotion* m, double time)
{
	if (m->kind == pl_motionKeys)
		return keysPose(m, time);
	double s = m->kind == pl_motionLine
	               ? lineFraction(m, time)
	               : plSin(twoPi * m->frequency * (fmin(fmax(time, m->from), m->until) - m->from) + m->phase);
	return poseOf(m->translate, m->rotateAxis, m->rotateAngle, s);
}
