import { isJsonObject } from '@svc/core/json.ts'

/**
 * Applies a JSON merge patch: members of objects are merged, null removes one, anything else replaces.
 *
 * Source: RFC 7396 §2.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
