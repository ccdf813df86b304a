import { z } from 'zod'
import { type CompiledPurpose, compilePurpose } from '../pdlss/compilePurpose.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/**
 * An entry of an endpoint's allowlist, keyed on an account owner. Spec: Allowlist entry.
 *
 * Every active agent of that owner is admitted, subject to the entry's own filters.
 */
export const allowlistEntrySchema = z.object({
  allowedOwnerIdentifier: z
    .string()
    .regex(/^SVC[DO]-[0-9A-Za-z]{22}$/, 'expected SVCD- or SVCO- and 22 characters'),
  minTrustScore: z.int().min(0).max(100).optional(),
  allowedPurposes: z.array(z.string().min(1).max(100)).max(100).optional(),
})

export type AllowlistEntry = z.infer<typeof allowlistEntrySchema>

/**
 * An allowlist as one question: the trust score it asks of this caller, or `undefined` where it does not admit the caller.
 *
 * `requirement` is the endpoint's own, for entries that name no score. No function at all where the list is empty and thus has no say.
 */
export type CompiledAllowlist =
  | ((
      ownerIdentifiers: readonly string[],
      request: VerificationRequest,
      requirement: number,
    ) => number | undefined)
  | undefined

type CompiledEntry = { minTrustScore: number | undefined; refuses: (request: VerificationRequest) => boolean }

/**
 * Compiles an allowlist into a look-up by owner identifier.
 *
 * Of several entries that admit the request the most lenient one speaks: entries permit, they do not restrict one another.
 */
export function compileAllowlist(entries: readonly AllowlistEntry[]): CompiledAllowlist {
  if (entries.length === 0) return undefined
  const byOwner = new Map<string, CompiledEntry[]>()
  for (const entry of entries) {
    const compiled = { minTrustScore: entry.minTrustScore, refuses: compilePurposes(entry.allowedPurposes) }
    const siblings = byOwner.get(entry.allowedOwnerIdentifier)
    if (siblings === undefined) byOwner.set(entry.allowedOwnerIdentifier, [compiled])
    else siblings.push(compiled)
  }
  return (ownerIdentifiers, request, requirement) => {
    const scores = ownerIdentifiers
      .flatMap((identifier) => byOwner.get(identifier) ?? [])
      .filter((entry) => !entry.refuses(request))
      .map((entry) => entry.minTrustScore ?? requirement)
    return scores.length === 0 ? undefined : Math.min(...scores)
  }
}

/** A purpose is a category, an action, or both; a request passes when any of its names is listed. */
function compilePurposes(purposes: readonly string[] | undefined): (request: VerificationRequest) => boolean {
  if (purposes === undefined || purposes.length === 0) return () => false
  const categories: CompiledPurpose = compilePurpose({ categories: [...purposes] })
  const actions: CompiledPurpose = compilePurpose({ allowedActions: [...purposes] })
  return (request) =>
    categories.refusesCategory(request) && (request.action === undefined || actions.refusesAction(request))
}
