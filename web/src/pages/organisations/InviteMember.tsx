import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { Organization } from '@svc/core/contract/accounts.ts'
import { listManagedRoles } from '@svc/core/memberRole.ts'
import type { FormEvent } from 'react'
import { useApiMutation } from '../../api/useApiMutation.ts'
import { FormFailure } from '../../parts/forms/FormFailure.tsx'
import { readFaults } from '../../parts/forms/readFaults.ts'
import { readFields } from '../../parts/forms/readFields.ts'
import { Icon } from '../../parts/Icon.tsx'
import { roles } from './members.ts'

/** Invites an e-mail address to an organisation, with or without an existing account. */
export function InviteMember({ organisation, onClose }: { organisation: Organization; onClose: () => void }) {
  const params = { id: organisation.organizationId }
  const change = useApiMutation('POST /api/organizations/:id/members', {
    invalidates: ['GET /api/organizations', ['GET /api/organizations/:id/members', params]],
  })
  const faults = readFaults(change.error, { email: 'E-mail', role: 'Role' })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { email, role } = readFields(event.currentTarget, 'email', 'role')
    const chosen = roles.find(({ value }) => value === role)
    if (chosen) change.mutate({ params, body: { email, role: chosen.value } })
  }
  if (change.data) {
    return (
      <Stack>
        <Alert color="teal" icon={<Icon name="check" />} title="Invitation sent">
          They will receive an e-mail with a link to accept, using an existing or a new account with that
          address.
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="email" type="email" label="E-mail" required data-autofocus error={faults.at.email} />
        <NativeSelect
          name="role"
          label="Role"
          error={faults.at.role}
          data={roles.filter(({ value }) => listManagedRoles(organisation.role).includes(value))}
        />
        <FormFailure faults={faults} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
