import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core'
import { Icon } from './Icon.tsx'

/** An identifier or a secret with a button that copies it; `name` says what it is to those who cannot see it. */
export function CopyText({ text, name }: { text: string; name: string }) {
  return (
    <Group gap={4} wrap="nowrap" maw="100%">
      <Text ff="monospace" fz="0.92em" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon
              variant="subtle"
              color={copied ? 'teal' : 'gray'}
              size="sm"
              onClick={copy}
              aria-label={copied ? `${name} copied` : `Copy ${name}`}
            >
              <Icon name={copied ? 'check' : 'copy'} size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
}
