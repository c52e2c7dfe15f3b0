#include "schedule/scop/sets.h"

static void release_set(void *set)
{
	isl_set_free(set);
}

static void release_map(void *map)
{
	isl_map_free(map);
}

static void release_union_map(void *umap)
{
	isl_union_map_free(umap);
}

static void release_pw_aff(void *value)
{
	isl_pw_aff_free(value);
}

__isl_keep isl_set *keep_set(struct region *r, __isl_take isl_set *set)
{
	region_own(r, set, release_set);
	return set;
}

__isl_keep isl_map *keep_map(struct region *r, __isl_take isl_map *map)
{
	region_own(r, map, release_map);
	return map;
}

__isl_keep isl_union_map *keep_union_map(struct region *r,
	__isl_take isl_union_map *umap)
{
	region_own(r, umap, release_union_map);
	return umap;
}

__isl_keep isl_pw_aff *keep_pw_aff(struct region *r,
	__isl_take isl_pw_aff *value)
{
	region_own(r, value, release_pw_aff);
	return value;
}
