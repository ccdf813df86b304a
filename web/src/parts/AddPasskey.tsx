import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { addPasskey } from '../api/addPasskey.ts'
import { FailureNote } from './FailureNote.tsx'
import { Icon } from './Icon.tsx'

/** Adds a passkey of this device to the account; `touches` are the paths that are out of date afterwards. */
export function AddPasskey({ touches }: { touches: readonly string[] }) {
  const queries = useQueryClient()
  const adding = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => Promise.all(touches.map((path) => queries.invalidateQueries({ queryKey: [path] }))),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    adding.mutate(String(new FormData(event.currentTarget).get('passkeyName')))
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Group gap="sm" align="flex-end">
          <TextInput
            name="passkeyName"
            label="Name of the new passkey"
            description="So that you know it again"
            defaultValue={deviceName()}
            required
            maxLength={200}
            style={{ flex: '1 1 220px' }}
          />
          <Button type="submit" loading={adding.isPending} leftSection={<Icon name="passkey" />}>
            Add a passkey
          </Button>
        </Group>
        <FailureNote error={adding.error} />
      </Stack>
    </form>
  )
}

const DEVICES = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android device'],
  [/Mac OS/, 'Mac'],
  [/Windows/, 'Windows computer'],
  [/Linux/, 'Linux computer'],
] as const

/** A first idea of a name; what a browser says of its device is good for no more. */
function deviceName(): string {
  return DEVICES.find(([pattern]) => pattern.test(navigator.userAgent))?.[1] ?? 'Passkey'
}
