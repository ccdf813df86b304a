import { Alert, Button, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { saveFile } from '../../parts/code/saveFile.ts'
import { Icon } from '../../parts/Icon.tsx'

const FILE_NAME = 'recovery-codes.txt'

/** Recovery codes, shown only once, to copy or download. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title="Save the recovery codes now: they will not be shown again"
    >
      <Stack gap="sm">
        <Text size="sm">
          If you lose the app, each code signs you in once. Keep them separate from your password.
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
                {copied ? 'Copied' : 'Copy codes'}
              </Button>
            )}
          </CopyButton>
          <Button
            size="xs"
            variant="default"
            onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), FILE_NAME)}
          >
            Download codes
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
