import { Alert, Button, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { Icon } from '../../parts/Icon.tsx'

const FILE_NAME = 'recovery-codes.txt'

/** Recovery codes, which are shown this once: to copy, or to keep as a file. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title="Store the recovery codes now: they are shown this once"
    >
      <Stack gap="sm">
        <Text size="sm">
          Each signs you in once in place of a code, for when the app is lost. Keep them apart from your
          password.
        </Text>
        <SimpleGrid component="ul" cols={{ base: 1, xs: 2 }} spacing={4} verticalSpacing={4} m={0} p={0}>
          {codes.map((code) => (
            <Text key={code} component="li" ff="monospace" fz="sm" style={{ listStyle: 'none' }}>
              {code}
            </Text>
          ))}
        </SimpleGrid>
        <Group gap="xs">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy the codes'}
              </Button>
            )}
          </CopyButton>
          <Button size="xs" variant="default" onClick={() => download(text)}>
            Download the codes
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = FILE_NAME
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1_000)
}
