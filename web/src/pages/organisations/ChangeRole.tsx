import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import type { MemberRole } from '@svc/core/memberRole.ts'
import { type FormEvent, useState } from 'react'
import type { Member } from '../../api/types.ts'
import { FailureNote } from '../../parts/FailureNote.tsx'
import { roles } from './members.ts'

type Props = {
  member: Member
  isOwn: boolean
  /** The roles that the caller may give. */
  given: readonly MemberRole[]
  change: { isPending: boolean; error: unknown }
  onChange: (role: MemberRole) => void
  onClose: () => void
}

/** Gives a member, or who is invited, another role. */
export function ChangeRole({ member, isOwn, given, change, onChange, onClose }: Props) {
  const [role, setRole] = useState(member.role)
  const offered = roles.filter(({ value }) => given.includes(value))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onChange(role)
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label="Role"
          data={offered}
          value={role}
          onChange={(event) => {
            const chosen = offered.find(({ value }) => value === event.currentTarget.value)
            if (chosen) setRole(chosen.value)
          }}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          {isOwn
            ? 'Of yourself: what the lower role may not do, you cannot give back to yourself.'
            : 'It holds from the next request on, of API keys too.'}
        </Text>
        <FailureNote error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={role === member.role}>
            Change the role
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
