// shaders.h: the programs that the renderer runs, as text without the #version line
#ifndef PL_RENDER_SHADERS_H
#define PL_RENDER_SHADERS_H

#define PL_TAP_COUNT 16 // points on a disk that soft shadows are sampled at

extern const char* const plShader_fullVertex;         // one triangle over the whole target
extern const char* const plShader_backgroundFragment; // horizon to sky
extern const char* const plShader_depthVertex;        // bodies as the light sees them
extern const char* const plShader_castVertex;         // bodies cast on the ground along the light
extern const char* const plShader_castFragment;
extern const char* const plShader_softenFragment; // penumbra and contact darkening of what was cast
extern const char* const plShader_groundVertex;
extern const char* const plShader_groundFragment;
extern const char* const plShader_bodyVertex;
extern const char* const plShader_bodyFragment; // needs const bool mapped, patterned

#endif
