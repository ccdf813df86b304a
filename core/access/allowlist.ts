import type { z } from 'zod'
import { type CompiledPurpose, compilePurpose } from '../pdlss/compilePurpose.ts'
import type { allowlistEntrySchema } from './allowlistEntrySchema.ts'
import type { VerificationRequest } from './verificationRequest.ts'

/** An entry of an endpoint's allowlist. Spec: Allowlist entry. */
export type AllowlistEntry = z.infer<typeof allowlistEntrySchema>

/**
 * Returns the trust score that the allowlist requires of a caller; undefined when it does not admit the caller.
 *
 * `requirement` is the endpoint's own, for entries without a score. An empty allowlist does not apply, and has no function.
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
 * Compiles an allowlist into a lookup by owner identifier.
 *
 * If several entries admit the request, the lowest score applies, because entries do not restrict one another.
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

/** A listed purpose is a category, an action or both. A request passes if its category or its action is listed. */
function compilePurposes(purposes: readonly string[] | undefined): (request: VerificationRequest) => boolean {
  if (purposes === undefined || purposes.length === 0) return () => false
  const categories: CompiledPurpose = compilePurpose({ categories: [...purposes] })
  const actions: CompiledPurpose = compilePurpose({ allowedActions: [...purposes] })
  return (request) =>
    categories.refusesCategory(request) && (request.action === undefined || actions.refusesAction(request))
}
