import { Box, Button, Code, CopyButton, Group, Text } from '@mantine/core'
import classes from './CodeBlock.module.css'

/** A code snippet with a copy button; `name` says what it does. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <Box className={classes.block}>
      <Group justify="space-between" wrap="nowrap" className={classes.head}>
        <Text size="xs" c="dimmed">
          {name}
        </Text>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy} style={{ flexShrink: 0 }}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block className={classes.code} tabIndex={0} aria-label={name}>
        {code}
      </Code>
    </Box>
  )
}
