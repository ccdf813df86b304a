import { z } from 'zod'
import { parseGlob } from '../glob/parseGlob.ts'

const ITEMS_MAX = 100
const names = z.array(z.string().min(1).max(200)).max(ITEMS_MAX).optional()
const globs = z
  .array(
    z
      .string()
      .refine((glob) => parseGlob(glob).ok, { message: 'expected a glob', params: { code: 'invalid_glob' } }),
  )
  .max(ITEMS_MAX)
  .optional()

const rule = z.discriminatedUnion('dimension', [
  z.strictObject({
    dimension: z.literal('purpose'),
    match: z.strictObject({ categories: names, actions: names }),
  }),
  z.strictObject({ dimension: z.literal('duration'), match: z.strictObject({}) }),
  z.strictObject({
    dimension: z.literal('scope'),
    match: z.strictObject({ resources: globs, jurisdictions: names, counterparties: names }),
  }),
  z.strictObject({
    dimension: z.literal('selfInstantiation'),
    match: z.strictObject({ purposes: names }),
  }),
  z.strictObject({
    dimension: z.literal('spend'),
    match: z.strictObject({ minValue: z.number().min(0).max(1e15).optional() }),
  }),
])

/**
 * The owner's settings about what to be asked, in addition to the immutable boundary.
 *
 * A rule turns a denial (duration, scope) or a grant (purpose, selfInstantiation, spend) into a request for approval. It
 * applies if every list in `match` contains the request's value; an empty `match` applies to every request. A rule on scope
 * covers only the parts of scope that it lists, or all of them if it lists none: one about resources does not ask about a
 * jurisdiction. Spec: Authentication 8.
 */
export const approvalRulesSchema = z.array(rule).max(ITEMS_MAX)
