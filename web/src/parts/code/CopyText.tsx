import { ActionIcon, CopyButton, Group, Text } from '@mantine/core'
import { Icon } from '../Icon.tsx'

type Props = {
  text: string
  /** What the text is, for screen readers. */
  name: string
  /** The text to copy if it is longer than what is shown. */
  copies?: string
}

/** An identifier or secret with a copy button. */
export function CopyText({ text, name, copies = text }: Props) {
  return (
    <Group gap={4} wrap="nowrap" maw="100%">
      <Text ff="monospace" fz="0.92em" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      <CopyButton value={copies}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color={copied ? 'teal' : 'gray'}
            size="sm"
            onClick={copy}
            title={copied ? 'Copied' : 'Copy'}
            aria-label={copied ? `${name} copied` : `Copy ${name}`}
          >
            <Icon name={copied ? 'check' : 'copy'} size={15} />
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  )
}
