import { z } from 'zod'
import { isJsonObject } from '../json.ts'

const name = z.string().min(1)
const properties = z.looseObject({}).optional()

/**
 * The four members of an access evaluation; any other members are ignored.
 *
 * Source: AuthZEN Authorization API 1.0 §5 (information model), §6.1.
 */
export const evaluationSchema = z.object({
  subject: z.object({ type: name, id: name, properties }),
  action: z.object({ name, properties }),
  resource: z.object({ type: name, id: name, properties }),
  context: z.looseObject({}).optional(),
})

/** One question: may this subject do this to that resource? */
export type Evaluation = z.output<typeof evaluationSchema>

/** The members of an evaluation, with the required members of each. */
const REQUIRED = { subject: ['type', 'id'], action: ['name'], resource: ['type', 'id'], context: [] } as const

type JsonObject = Record<string, unknown>

/**
 * The evaluations of a batch, completed with the batch's defaults; null when there are none, and the batch is itself a
 * single evaluation.
 *
 * A member of an evaluation replaces the whole default, except that missing required members (`type`, `id`, `name`) are
 * taken from the default. Nothing is validated here, so that an invalid evaluation fails without affecting the others.
 *
 * Source: AuthZEN Authorization API 1.0 §7.1, §7.1.1 (default values); its certification scenario, 3.2.7 and 3.4.
 */
export function evaluationsOf(batch: JsonObject): unknown[] | null {
  const { evaluations } = batch
  if (!Array.isArray(evaluations) || evaluations.length === 0) return null
  return evaluations.map((item: unknown) => (isJsonObject(item) ? withDefaults(batch, item) : item))
}

function withDefaults(batch: JsonObject, item: JsonObject): JsonObject {
  const complete: JsonObject = {}
  for (const [member, required] of Object.entries(REQUIRED)) {
    const given = item[member]
    const fallback = batch[member]
    complete[member] = given === undefined ? fallback : fillMissing(given, fallback, required)
  }
  return complete
}

function fillMissing(given: unknown, fallback: unknown, required: readonly string[]): unknown {
  if (!isJsonObject(given) || !isJsonObject(fallback)) return given
  const missing = required.filter((name) => given[name] === undefined && fallback[name] !== undefined)
  return missing.length === 0
    ? given
    : { ...given, ...Object.fromEntries(missing.map((name) => [name, fallback[name]])) }
}
