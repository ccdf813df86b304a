import {
  Anchor,
  Box,
  Button,
  Container,
  Group,
  SimpleGrid,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '../../parts/Icon.tsx'
import { TextLink } from '../../parts/TextLink.tsx'
import { loadLater } from '../../router/loadLater.ts'
import { Brand } from '../../shell/Brand.tsx'
import { ColorSchemeToggle } from '../../shell/ColorSchemeToggle.tsx'
import { SignInCard } from '../signIn/SignInCard.tsx'

const DecisionPicture = loadLater(async () => (await import('./DecisionPicture.tsx')).DecisionPicture)

const ROLES: readonly { icon: IconName; name: string; about: string; start: string; guide: string }[] = [
  {
    icon: 'shield',
    name: 'You protect an API',
    about:
      'Ask before you act: one request tells you whether this agent may do this, here, now, and why not. Express, Fastify, nginx, MCP or plain HTTP.',
    start: 'Protect an API in five minutes',
    guide: '/docs/start/protect-an-api',
  },
  {
    icon: 'agents',
    name: 'You run an agent',
    about:
      'Say what it may do and spend. It proves itself with its own key, and you are asked, on your phone, about whatever goes beyond that.',
    start: 'Run an agent in five minutes',
    guide: '/docs/start/run-an-agent',
  },
  {
    icon: 'audit',
    name: 'You have to trust it',
    about:
      'Every decision is an entry of a log that is anchored on a blockchain. Anybody can check it, without an account and without us.',
    start: 'Verify a record in five minutes',
    guide: '/docs/start/verify-as-an-auditor',
  },
]

/** What a visitor who is not signed in finds at the home address: what this is, a decision to try, and the way in. */
export function LandingPage() {
  const [isNew, setNew] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  useEffect(() => {
    document.title = 'Agent registry: may this agent do this, here, now?'
  }, [])
  const [begun, setBegun] = useState(0)
  const begin = () => {
    setNew(true)
    setBegun(begun + 1)
  }
  // Only now does the card show the form for a new account.
  useEffect(() => {
    if (begun === 0) return
    card.current?.scrollIntoView({ block: 'center' })
    card.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [begun])
  return (
    <Box mih="100vh">
      <Group component="header" justify="space-between" px="md" py="sm" gap="xs">
        <Brand />
        <Group gap="xs">
          <Anchor href="/docs" size="sm" visibleFrom="xs">
            Docs
          </Anchor>
          <ColorSchemeToggle />
        </Group>
      </Group>
      <Container component="main" size={1080} px="md" py={{ base: 'md', sm: 'xl' }}>
        <Stack gap={48}>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing={48} style={{ alignItems: 'start' }}>
            <Stack gap="md">
              <Title order={1} fz={{ base: 30, sm: 42 }} lh={1.15}>
                May this agent do this, here, now?
              </Title>
              <Text size="lg" c="dimmed">
                A registry of AI agents and of the endpoints they call. Owners say what their agents may do,
                endpoints say whom they accept, and every request gets one answer: granted, held or denied,
                with a record that anybody can check.
              </Text>
              <Group gap="sm">
                <Button onClick={begin}>Get started</Button>
                <Button variant="default" component="a" href="/docs">
                  Read the docs
                </Button>
              </Group>
              <Text size="sm" c="dimmed">
                Agents need no account: <TextLink to="/agents/register">how to register one</TextLink>
              </Text>
            </Stack>
            <Stack
              ref={card}
              gap="sm"
              component="section"
              aria-label={isNew ? 'Create an account' : 'Sign in'}
            >
              <Title order={2} fz="lg">
                {isNew ? 'Create an account' : 'Sign in'}
              </Title>
              <SignInCard isNew={isNew} onSwitch={setNew} />
            </Stack>
          </SimpleGrid>
          <Stack gap="md">
            <Title order={2}>Try a decision</Title>
            {/* As tall as the picture, so that nothing moves when it arrives. */}
            <Box mih={{ base: 610, sm: 285 }}>
              <Suspense fallback={null}>
                <DecisionPicture />
              </Suspense>
            </Box>
          </Stack>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
            {ROLES.map(({ icon, name, about, start, guide }) => (
              <Stack key={name} gap="xs">
                <ThemeIcon size={40} radius="md" variant="light">
                  <Icon name={icon} size={22} />
                </ThemeIcon>
                <Title order={2} fz="lg">
                  {name}
                </Title>
                <Text>{about}</Text>
                <Anchor href={guide} underline="always">
                  {start}
                </Anchor>
              </Stack>
            ))}
          </SimpleGrid>
          <Group component="footer" gap="lg" pb="md">
            <Anchor href="/docs" size="sm" underline="always">
              Docs
            </Anchor>
            <Text size="sm" span>
              <TextLink to="/status">Status of the service</TextLink>
            </Text>
          </Group>
        </Stack>
      </Container>
    </Box>
  )
}
