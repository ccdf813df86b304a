import { List, ThemeIcon } from '@mantine/core'
import { Icon } from '../Icon.tsx'

type Props = { checks: readonly { claim: string; holds: boolean; detail?: string }[] }

/** Claims, each with whether it is true. */
export function CheckList({ checks }: Props) {
  return (
    <List spacing={6} size="sm" listStyleType="none" style={{ lineHeight: 1.4, overflowWrap: 'anywhere' }}>
      {checks.map(({ claim, holds, detail }) => (
        <List.Item
          key={claim}
          icon={
            <ThemeIcon
              size={20}
              radius="xl"
              color={holds ? 'teal' : 'red'}
              role="img"
              aria-label={holds ? 'Passed' : 'Failed'}
            >
              <Icon name={holds ? 'check' : 'cross'} size={13} />
            </ThemeIcon>
          }
        >
          {claim}
          {detail && `: ${detail}`}
        </List.Item>
      ))}
    </List>
  )
}
