import { Alert, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../Icon.tsx'
import { CopyText } from './CopyText.tsx'

/** A secret that is shown only once; `name` says what it is, `children` what it is for. */
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
      title={`Save the ${name} now: it will not be shown again`}
    >
      <Stack gap="xs">
        <Text size="sm">{children}</Text>
        <CopyText text={secret} name={name} />
      </Stack>
    </Alert>
  )
}
