import type { Boundary } from '../../api/types.ts'

/** A boundary with one field changed; what is empty is left out, because an absent rule restricts nothing. */
export function changedBoundary(
  boundary: Boundary,
  dimension: string,
  field: string,
  value: unknown,
): Boundary {
  const isEmpty =
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  const { [field]: _, ...others } = boundary[dimension] ?? {}
  const rules = isEmpty ? others : { ...others, [field]: value }
  const { [dimension]: __, ...rest } = boundary
  return Object.keys(rules).length === 0 ? rest : { ...rest, [dimension]: rules }
}
