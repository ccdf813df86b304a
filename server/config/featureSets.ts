/** What the database behind `DATABASE_URL` offers beyond tables: all of PostgreSQL, or what compatible ones have too. */
export const FEATURE_SETS = ['full', 'portable'] as const

export type FeatureSet = (typeof FEATURE_SETS)[number]
