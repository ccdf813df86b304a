import { z } from 'zod'

/**
 * The alphabet of purposes, actions and resource types, in boundaries and in requests: at most one `:` or `.`, between
 * category and action, and no spaces. So a spelling that only looks like a denied name is no name at all.
 */
export const POLICY_NAME = /^[A-Za-z0-9_-]+(?:[.:][A-Za-z0-9_-]+)?$/

const EXPECTED = 'expected letters, digits, _ or -, with at most one : or . between category and action'

/** A name in a boundary or request, of at most `max` characters. */
export function policyName(max: number) {
  return z.string().min(1, { abort: true }).max(max).regex(POLICY_NAME, EXPECTED)
}
