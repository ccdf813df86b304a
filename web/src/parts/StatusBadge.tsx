import { Badge } from '@mantine/core'
import { capitalised } from './capitalised.ts'
import { wordsOf } from './wordsOf.ts'

/** Colour by what a state means for the one who looks; words that are not here are neutral. */
const COLORS: Record<string, string> = {
  ...{ active: 'teal', verified: 'teal', confirmed: 'teal', pass: 'teal', grant: 'teal' },
  ...{ domain_verified: 'teal', deny: 'red', failed: 'red', fail: 'red' },
  ...{ pending: 'orange', anchored: 'orange', warn: 'orange', step_up_required: 'orange', invited: 'orange' },
  ...{ suspended: 'orange', audit: 'blue', provisional: 'blue', self_asserted: 'blue' },
}

const WORDS: Record<string, string> = {
  ...{ grant: 'Granted', deny: 'Denied', step_up_required: 'Held', audit: 'Audited' },
  ...{ pass: 'Healthy', warn: 'Degraded', fail: 'Failing' },
}

/** A state as a coloured word; `prefix` says of what. */
export function StatusBadge({ value, prefix }: { value: string; prefix?: string }) {
  const words = WORDS[value] ?? wordsOf(value)
  return (
    <Badge variant="light" color={COLORS[value] ?? 'gray'} tt="none" radius="sm">
      {capitalised(prefix === undefined ? words : `${prefix} ${words}`)}
    </Badge>
  )
}
