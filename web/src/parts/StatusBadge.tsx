import { Badge } from '@mantine/core'
import { Icon, type IconName } from './Icon.tsx'
import { capitalise, wordsOf } from './words/words.ts'

/** Badge colours by state; other states are grey. */
const COLORS: Record<string, string> = {
  ...{ active: 'teal', verified: 'teal', confirmed: 'teal', pass: 'teal', grant: 'teal' },
  ...{ domain_verified: 'teal', deny: 'red', failed: 'red', fail: 'red' },
  ...{ pending: 'orange', anchored: 'orange', warn: 'orange', step_up_required: 'orange', invited: 'orange' },
  ...{ approved: 'teal', consumed: 'teal', denied: 'red', warning: 'orange', critical: 'red' },
  ...{ delivered: 'teal', disabled: 'orange', rejected: 'red' },
  ...{ suspended: 'orange', audit: 'blue', provisional: 'blue', self_asserted: 'blue' },
  ...{ granted: 'teal', held: 'orange' },
  ...{ recognised: 'teal', withdrawn: 'orange', operator: 'blue' },
}

const WORDS: Record<string, string> = {
  ...{ grant: 'Granted', deny: 'Denied', step_up_required: 'Held', audit: 'Audited' },
  ...{ consumed: 'Used' },
  ...{ pass: 'Healthy', warn: 'Degraded', fail: 'Failing' },
}

/** Decision outcomes also have an icon, so that they can be told apart without colour. */
const ICONS: Record<string, IconName> = {
  ...{ grant: 'check', audit: 'eye', step_up_required: 'clock', deny: 'cross' },
  ...{ granted: 'check', held: 'clock' },
  ...{ pending: 'clock', approved: 'check', consumed: 'check', denied: 'cross', expired: 'clock' },
  ...{ warning: 'warning', critical: 'warning', rejected: 'cross' },
}

/** A state as a coloured badge; `prefix` names what it is the state of. */
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
      {capitalise(prefix === undefined ? words : `${prefix} ${words}`)}
    </Badge>
  )
}
