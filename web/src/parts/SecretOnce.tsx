import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyText } from './CopyText.tsx'
import { Icon } from './Icon.tsx'

/** A secret that is shown this once; `name` says what it is, `children` what it is for. */
export function SecretOnce({
  secret,
  name,
  children,
}: {
  secret: string
  name: string
  children: ReactNode
}) {
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title={`Store the ${name} now: it is shown this once`}
    >
      <Stack gap="xs">
        <Text size="sm">{children}</Text>
        <CopyText text={secret} name={name} />
      </Stack>
    </Alert>
  )
}
