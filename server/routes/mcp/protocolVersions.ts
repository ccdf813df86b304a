/** The revision without a handshake: each request says of itself what it needs. */
export const MODERN_VERSION = '2026-07-28'

/**
 * The revisions that begin with `initialize`, newest first. 2025-03-26 is missing because it requires batches, and earlier
 * ones because they have another transport.
 */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18'] as const

export const SUPPORTED_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS]

/** The revision that the server proposes to a client that asks for one it does not support. */
export function negotiateVersion(requested: string): string {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LEGACY_VERSIONS[0]
}
