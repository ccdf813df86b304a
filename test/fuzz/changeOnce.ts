type Place = { holder: Record<string, unknown>; name: string }

const OTHER_TYPES = [null, true, 7, 'text', [], {}, ['text'], { a: 1 }]

/**
 * Changes a JSON text in one place: a member is missing, is of another type or at a boundary, or there is an unknown one.
 *
 * @param at Chooses the place.
 * @param how Chooses the change.
 */
export function changeOnce(text: string, at: number, how: number): string {
  const root = { value: JSON.parse(text) }
  const places = placesIn(root)
  const place = places[at % places.length]
  if (place === undefined) return text
  const { holder, name } = place
  const changes: readonly (() => void)[] = [
    () => delete holder[name],
    () => {
      holder[name] = OTHER_TYPES[at % OTHER_TYPES.length]
    },
    () => {
      holder[name] = boundaryOf(holder[name], at)
    },
    () => {
      const value = holder[name]
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        Object.assign(value, { unknownMember: 1 })
      } else Object.assign(root.value ?? {}, { unknownMember: 1 })
    },
  ]
  changes[how % changes.length]?.()
  return JSON.stringify(root.value) ?? ''
}

function placesIn(holder: object): Place[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder: holder as Record<string, unknown>, name },
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ])
}

function boundaryOf(value: unknown, at: number): unknown {
  const choose = (...all: unknown[]) => all[at % all.length]
  if (typeof value === 'number') return choose(value + 1, value - 1, 0, -1, 2 ** 31, 2 ** 53, 1e308, 0.5)
  if (typeof value === 'string') return choose('', ' ', `${value}x`, value.repeat(500), value.toUpperCase())
  if (Array.isArray(value)) return choose([], [...value, ...value], Array(1_001).fill(value[0] ?? 'x'))
  return value
}
