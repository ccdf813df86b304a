import { Badge } from '@mantine/core'
import { Icon, type IconName } from './Icon.tsx'
import { capitalised, wordsOf } from './words.ts'

/** Colour by what a state means for the one who looks; words that are not here are neutral. */
const COLORS: Record<string, string> = {
  ...{ active: 'teal', verified: 'teal', confirmed: 'teal', pass: 'teal', grant: 'teal' },
  ...{ domain_verified: 'teal', deny: 'red', failed: 'red', fail: 'red' },
  ...{ pending: 'orange', anchored: 'orange', warn: 'orange', step_up_required: 'orange', invited: 'orange' },
  ...{ approved: 'teal', consumed: 'teal', denied: 'red', warning: 'orange', critical: 'red' },
  ...{ delivered: 'teal', disabled: 'orange', rejected: 'red' },
  ...{ suspended: 'orange', audit: 'blue', provisional: 'blue', self_asserted: 'blue' },
}

const WORDS: Record<string, string> = {
  ...{ grant: 'Granted', deny: 'Denied', step_up_required: 'Held', audit: 'Audited' },
  ...{ consumed: 'Used' },
  ...{ pass: 'Healthy', warn: 'Degraded', fail: 'Failing' },
}

/** Outcomes of decisions have a sign of their own, so that no colour is needed to tell them apart. */
const ICONS: Record<string, IconName> = {
  ...{ grant: 'check', audit: 'eye', step_up_required: 'clock', deny: 'cross' },
  ...{ pending: 'clock', approved: 'check', consumed: 'check', denied: 'cross', expired: 'clock' },
  ...{ warning: 'warning', critical: 'warning', rejected: 'cross' },
}

/** A state as a coloured word; `prefix` says of what. */
export function StatusBadge({ value, prefix }: { value: string; prefix?: string }) {
  const words = WORDS[value] ?? wordsOf(value)
  const icon = ICONS[value]
  return (
    <Badge
      variant="light"
      leftSection={icon && <Icon name={icon} size={12} />}
      color={COLORS[value] ?? 'gray'}
      tt="none"
      radius="sm"
    >
      {capitalised(prefix === undefined ? words : `${prefix} ${words}`)}
    </Badge>
  )
}
