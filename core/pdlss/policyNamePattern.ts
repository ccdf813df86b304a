/**
 * The alphabet of purposes, actions and resource types, in boundaries and in requests: at most one `:` or `.`, between
 * category and action, and no spaces. A spelling that looks like a denied name but is not equal to it is thus no name at
 * all.
 */
export const POLICY_NAME = /^[A-Za-z0-9_-]+(?:[.:][A-Za-z0-9_-]+)?$/

/** What to say about any other text. */
export const POLICY_NAME_EXPECTED =
  'expected letters, digits, _ or -, with at most one : or . between category and action'
