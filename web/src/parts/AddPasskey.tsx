import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { addPasskey } from '../api/addPasskey.ts'
import type { Resource } from '../api/call.ts'
import { useInvalidate } from '../api/useInvalidate.ts'
import { FormFailure } from './forms/FormFailure.tsx'
import { readFaults } from './forms/readFaults.ts'
import { Icon } from './Icon.tsx'

/** Form that adds a passkey to the account; `invalidates` lists what is stale in the cache afterwards. */
export function AddPasskey({ invalidates }: { invalidates: readonly Resource[] }) {
  const invalidate = useInvalidate()
  const adding = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => invalidate(invalidates),
  })
  const faults = readFaults(adding.error, { name: 'Passkey name' })
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
            error={faults.at.name}
            style={{ flex: '1 1 220px' }}
          />
          <Button type="submit" loading={adding.isPending} leftSection={<Icon name="passkey" />}>
            Add passkey
          </Button>
        </Group>
        <FormFailure faults={faults} />
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
