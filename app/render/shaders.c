// shaders.c: light, shadow and ground, in linear light; the target encodes sRGB
//
// Space is the stage moved to its centre and divided by its size. L is the unit vector to the light, N the normal, V to
// the eye.
//
//   body     albedo (key w(N.L) s + sky(N)) + specular;  w wraps the light 15 % round the terminator, s is the shadow
//   map
//            by 6 comparisons on a disk, sky(N) goes from the ground's bounce below to the sky above
//            specular is GGX with Schlick's Fresnel (Walter et al. 2007; Schlick 1994), F0 = 0.04
//   cast     each point falls along L on the ground; kept: coverage, height h, and exp(-h / 0.05) for contact
//   soften   mean height of what covers the neighbourhood -> width of the penumbra = h times the light's width
//            (percentage-closer soft shadows, Fernando 2005), sampled from the mip level that fits the distance of taps
//   ground   chequered in two light tones, box-filtered in closed form over a pixel's footprint, fading into the
//   horizon
//
// Every colour gets less than one step of a fixed dither, so that gradients show no bands.
#include "shaders.h"

#define STRING(...) #__VA_ARGS__
#define GLSL(...) STRING(__VA_ARGS__)

// Shared by all fragments. gradient noise: Jimenez 2014, "Next generation post processing in Call of Duty"
#define COMMON                                                                                                         \
	const vec3 horizon = vec3(0.78, 0.83, 0.88);                                                                       \
	const vec3 zenith = vec3(0.42, 0.55, 0.70);                                                                        \
	vec3 dither(vec3 c)                                                                                                \
	{                                                                                                                  \
		float n = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));                       \
		return c + (n - 0.5) / 255.0 * 2.0 * sqrt(max(c, 0.0));                                                        \
	}

// Mean over [x - w/2, x + w/2] of the wave that is +1 on [0, 1), -1 on [1, 2): difference of its integral, a triangle
#define SQUARE_WAVE                                                                                                    \
	vec3 wave(vec3 x, vec3 w)                                                                                          \
	{                                                                                                                  \
		vec3 a = 1.0 - abs(2.0 * fract(0.5 * (x + 0.5 * w)) - 1.0);                                                    \
		vec3 b = 1.0 - abs(2.0 * fract(0.5 * (x - 0.5 * w)) - 1.0);                                                    \
		return (a - b) / w;                                                                                            \
	}

// clang-format off
const char* const plShader_fullVertex = GLSL(
	out vec2 place;
	void main()
	{
		place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
		gl_Position = vec4(2.0 * place - 1.0, 1.0, 1.0);
	});

const char* const plShader_backgroundFragment = GLSL(
	COMMON
	uniform vec3 rayCorner;
	uniform vec3 rayRight;
	uniform vec3 rayUp;
	in vec2 place;
	out vec4 colour;
	void main()
	{
		vec3 ray = normalize(rayCorner + place.x * rayRight + place.y * rayUp);
		colour = vec4(dither(mix(horizon, zenith, smoothstep(0.0, 0.9, ray.y))), 1.0);
	});

const char* const plShader_depthVertex = GLSL(
	layout(location = 0) in vec3 position;
	uniform mat4 lightMatrix;
	void main()
	{
		gl_Position = lightMatrix * vec4(position, 1.0);
	});

const char* const plShader_castVertex = GLSL(
	layout(location = 0) in vec3 position;
	uniform vec3 light;
	uniform float ground;
	uniform vec4 castBox;
	out float height;
	void main()
	{
		height = position.y - ground;
		vec2 p = position.xz - light.xz * (height / light.y);
		gl_Position = vec4(2.0 * (p - castBox.xy) / castBox.zw - 1.0, clamp(height, -0.9, 0.9), 1.0);
	});

const char* const plShader_castFragment = GLSL(
	in float height;
	out vec4 fallen;
	void main()
	{
		if (height < -0.002)
			discard;
		float h = max(height, 0.0);
		fallen = vec4(1.0, h, exp(-h / 0.05), 1.0);
	});

const char* const plShader_softenFragment = GLSL(
	uniform sampler2D occluders;
	uniform vec2 taps[16];
	uniform vec4 castBox;
	uniform float lightWidth;
	in vec2 place;
	out vec4 soft;
	float levelOf(float radius, float texels)
	{
		return max(log2(0.5 * radius * texels), 0.0);
	}
	void main()
	{
		float texels = float(textureSize(occluders, 0).x) / castBox.z;
		vec2 scale = 1.0 / castBox.zw;
		float search = 0.10;
		float level = levelOf(search, texels);
		vec3 sum = vec3(0.0);
		for (int i = 0; i < 16; i += 2)
			sum += textureLod(occluders, place + taps[i] * search * scale, level).rgb;
		float height = sum.g / max(sum.r, 1e-3);
		float radius = clamp(height * lightWidth, 1.5 / texels, 0.16);
		level = levelOf(radius, texels);
		float shadow = 0.0;
		for (int i = 0; i < 16; ++i)
			shadow += textureLod(occluders, place + taps[i] * radius * scale, level).r;
		float known = clamp(sum.r / 0.16, 0.0, 1.0);
		soft = vec4(known * shadow / 16.0, sum.b / 8.0, 0.0, 1.0);
	});

const char* const plShader_groundVertex = GLSL(
	uniform mat4 viewProjection;
	uniform float ground;
	uniform float reach;
	out vec3 point;
	void main()
	{
		vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
		point = vec3(corner.x * reach, ground, corner.y * reach);
		gl_Position = viewProjection * vec4(point, 1.0);
	});

const char* const plShader_groundFragment = GLSL(
	COMMON
	SQUARE_WAVE
	uniform sampler2D softShadow;
	uniform vec4 castBox;
	uniform vec3 centre;
	uniform float square;
	uniform float reach;
	in vec3 point;
	out vec4 colour;
	void main()
	{
		vec2 x = (point.xz - centre.xz) / square;
		vec2 width = fwidth(x) + 1e-4;
		vec3 w = wave(vec3(x, 0.0), vec3(width, 1.0));
		vec3 albedo = mix(vec3(0.560, 0.580, 0.600), vec3(0.660, 0.675, 0.690), 0.5 + 0.5 * w.x * w.y);

		vec2 s = texture(softShadow, (point.xz - castBox.xy) / castBox.zw).rg;
		vec3 key = vec3(0.80, 0.76, 0.70) * (1.0 - 0.92 * s.r);
		vec3 sky = vec3(0.42, 0.46, 0.51) * (1.0 - 0.75 * s.g) * (1.0 - 0.12 * s.r);
		vec3 lit = albedo * (key + sky);

		float distance = length(point.xz) / reach;
		float fog = smoothstep(0.06, 0.92, distance);
		fog = 1.0 - (1.0 - fog) * (1.0 - fog);
		colour = vec4(dither(mix(lit, horizon, fog)), 1.0);
	});

const char* const plShader_bodyVertex = GLSL(
	layout(location = 0) in vec3 position;
	layout(location = 1) in vec3 normal;
	layout(location = 2) in float value;
	layout(location = 3) in vec3 rest;
	layout(location = 4) in vec3 paint;
	uniform mat4 viewProjection;
	flat out vec3 albedo;
	out vec3 point;
	out vec3 facing;
	out vec3 cell;
	out float field;
	void main()
	{
		albedo = paint;
		point = position;
		facing = normal;
		cell = rest;
		field = value;
		gl_Position = viewProjection * vec4(position, 1.0);
	});

const char* const plShader_bodyFragment = GLSL(
	COMMON
	SQUARE_WAVE
	uniform sampler2DShadow shadowMap;
	uniform sampler2D colourMap;
	uniform mat4 lightMatrix;
	uniform vec2 taps[16];
	uniform vec3 light;
	uniform vec3 eye;
	flat in vec3 albedo;
	uniform bool plain;
	uniform bool sheet;
	uniform float ground;
	in vec3 point;
	in vec3 facing;
	in vec3 cell;
	in float field;
	out vec4 colour;

	float shadow(vec3 n, float facesLight)
	{
		float texel = 1.0 / float(textureSize(shadowMap, 0).x);
		vec3 p = point + n * (3.0 * texel * sqrt(max(1.0 - facesLight * facesLight, 0.0)) + 1.5 * texel);
		vec3 s = (lightMatrix * vec4(p, 1.0)).xyz * 0.5 + 0.5;
		float sum = 0.0;
		for (int i = 0; i < 6; ++i)
			sum += texture(shadowMap, vec3(s.xy + taps[i] * (4.5 * texel), s.z));
		return sum / 6.0;
	}

	float specular(vec3 n, vec3 v)
	{
		vec3 h = normalize(light + v);
		float nh = max(dot(n, h), 0.0);
		float nl = max(dot(n, light), 0.0);
		float nv = max(dot(n, v), 0.05);
		float a2 = 0.035;
		float d = nh * nh * (a2 - 1.0) + 1.0;
		float g = 1.0 - max(dot(v, h), 0.0);
		float f = 0.04 + 0.96 * g * g * g * g * g;
		return f * a2 / (3.14159 * d * d) * nl / (4.0 * max(nl, nv) * nv + 0.1);
	}

	void main()
	{
		vec3 v = normalize(eye - point);
		vec3 n = normalize(gl_FrontFacing ? facing : -facing);
		vec3 base = albedo;
		if (mapped && !plain)
			base = texture(colourMap, vec2((field * 255.0 + 0.5) / 256.0, 0.5)).rgb;
		if (patterned && !plain)
		{
			vec3 w = wave(cell, fwidth(cell) + 1e-4);
			base *= 0.89 - 0.11 * w.x * w.y * w.z;
		}
		if (sheet && !gl_FrontFacing)
			base *= 0.72;

		float nl = dot(n, light);
		float lit = shadow(n, nl);
		float key = max((nl + 0.15) / 1.15, 0.0) * mix(lit, 1.0, 0.06);
		float up = 0.5 + 0.5 * n.y;
		float open = 1.0 - 0.7 * (1.0 - up) * exp(-max(point.y - ground, 0.0) / 0.10);
		vec3 sky = mix(vec3(0.17, 0.16, 0.155), vec3(0.29, 0.34, 0.41), up) * open;
		float rim = 1.0 - max(dot(n, v), 0.0);
		rim *= rim;

		vec3 c = base * (vec3(1.08, 1.02, 0.94) * key + sky);
		c += vec3(1.0, 0.96, 0.9) * specular(n, v) * lit * 1.6;
		c += rim * rim * 0.22 * mix(vec3(0.3), zenith, up) * open;
		colour = vec4(dither(c), 1.0);
	});
// clang-format on
