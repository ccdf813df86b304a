import type { AllowlistRow } from '../../store/endpoints/allowlistStore.ts'

/** An allowlist entry as the endpoint's owner sees it. */
export type AllowlistEntryView = ReturnType<typeof allowlistEntryView>

/** Shows an entry; a filter that it does not set is left out. Source: `Spec: Allowlist entry`. */
export function allowlistEntryView(entry: AllowlistRow) {
  const { id, allowedOwnerIdentifier, minTrustScore, allowedPurposes, createdAt } = entry
  return {
    id,
    allowedOwnerIdentifier,
    minTrustScore,
    allowedPurposes,
    createdAt: new Date(createdAt).toISOString(),
  }
}
