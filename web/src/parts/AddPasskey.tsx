import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { addPasskey } from '../api/addPasskey.ts'
import { FailureNote } from './FailureNote.tsx'
import { Icon } from './Icon.tsx'

/** Form that adds a passkey to the account; `invalidates` lists the paths whose cached responses are stale afterwards. */
export function AddPasskey({ invalidates }: { invalidates: readonly string[] }) {
  const queries = useQueryClient()
  const adding = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => Promise.all(invalidates.map((path) => queries.invalidateQueries({ queryKey: [path] }))),
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
            label="Passkey name"
            description="To recognise it later"
            defaultValue={suggestName()}
            required
            maxLength={200}
            style={{ flex: '1 1 220px' }}
          />
          <Button type="submit" loading={adding.isPending} leftSection={<Icon name="passkey" />}>
            Add passkey
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

/** Suggests a name from the user agent, which is too unreliable for anything else. */
function suggestName(): string {
  return DEVICES.find(([pattern]) => pattern.test(navigator.userAgent))?.[1] ?? 'Passkey'
}
