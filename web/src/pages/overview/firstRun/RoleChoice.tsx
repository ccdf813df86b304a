import { Button, SimpleGrid, Stack, Text, ThemeIcon, UnstyledButton } from '@mantine/core'
import { Icon, type IconName } from '../../../parts/Icon.tsx'
import { Section } from '../../../parts/Section.tsx'
import classes from './RoleChoice.module.css'
import { ROLES, type Role } from './useFirstRunMemory.ts'

const WORDS: Readonly<Record<Role, { icon: IconName; name: string; about: string }>> = {
  protect: {
    icon: 'shield',
    name: 'I protect an API',
    about: 'Agents call it. Decide which of them may do what.',
  },
  run: {
    icon: 'agents',
    name: 'I run an agent',
    about: 'It acts for you. Set its limits and let it prove itself.',
  },
  review: {
    icon: 'approvals',
    name: 'I review for this service',
    about: 'Check the identities of the people who register.',
  },
}

type Props = { onChoose: (role: Role) => void; onHide: () => void }

/** Asks a new account what brings it here. */
export function RoleChoice({ onChoose, onHide }: Props) {
  return (
    <Section
      title="First steps"
      description="What brings you here? You can change your answer at any time."
      right={<HideButton onHide={onHide} />}
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        {ROLES.map((role) => (
          <UnstyledButton key={role} className={classes.role} onClick={() => onChoose(role)}>
            <ThemeIcon size={36} radius="md" variant="light">
              <Icon name={WORDS[role].icon} />
            </ThemeIcon>
            <Stack gap={2}>
              <Text fw={600}>{WORDS[role].name}</Text>
              <Text size="sm" c="dimmed">
                {WORDS[role].about}
              </Text>
            </Stack>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Section>
  )
}

/** Hides the first steps; the page header brings them back. */
export function HideButton({ onHide }: { onHide: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" onClick={onHide}>
      Hide
    </Button>
  )
}
