import { Box, Button, Code, CopyButton } from '@mantine/core'

/** A piece of code to take along. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <Box pos="relative">
      <Code block pr={84} tabIndex={0} aria-label={name} style={{ overflowX: 'auto' }}>
        {code}
      </Code>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="default"
            pos="absolute"
            top={8}
            right={8}
            onClick={copy}
            aria-label={`Copy ${name}`}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Box>
  )
}
