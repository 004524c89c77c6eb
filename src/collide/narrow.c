// narrow.c: how one solid sees another, and a direction across a given one
//
//   x_a = T + Q x_b,   Q = Ra' Rb,   T = Ra' (pb - pa)
//
// Places are subtracted first: far from the origin of the world nothing is lost but what the places have lost.
#include "narrow.h"

plView plView_Make(const plSite* siteA, const plSite* siteB)
{
	plView v;
	double d[3];
	plSubtract3(siteB->p, siteA->p, d);
	plSite_TurnBack(siteA, d, v.T);
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			v.Q[i][j] =
			    siteA->R[0][i] * siteB->R[0][j] + siteA->R[1][i] * siteB->R[1][j] + siteA->R[2][i] * siteB->R[2][j];
	return v;
}

plView plView_Invert(const plView* view)
{
	plView v;
	plView_TurnBack(view, view->T, v.T);
	for (int i = 0; i < 3; ++i)
	{
		v.T[i] = -v.T[i];
		for (int j = 0; j < 3; ++j)
			v.Q[i][j] = view->Q[j][i];
	}
	return v;
}

void plPerpendicular(const double d[3], double n[3])
{
	int least = 0;
	for (int i = 1; i < 3; ++i)
		if (fabs(d[i]) < fabs(d[least]))
			least = i;
	double e[3] = {least == 0, least == 1, least == 2};
	plCross3(d, e, n);
	double length = sqrt(plDot3(n, n));
	for (int i = 0; i < 3; ++i)
		n[i] = length > 0.0 ? n[i] / length : i == 1;
}
