const REASONS = {
  erased: 'The rest of this event was erased with the account of a party.',
  removed: 'The rest of this event is too old to be stored by this service, and was removed.',
  archived: 'The rest of this event is too old for this service, and was moved to its archive.',
} as const

/** Says why most of an event is missing; null if it is complete. */
export function describeRemoval(eventData: Readonly<Record<string, unknown>>): string | null {
  const mark = Object.keys(REASONS).find((name) => eventData[name] === true)
  return mark === undefined ? null : REASONS[mark as keyof typeof REASONS]
}
