import { Anchor, Image, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readPicture } from '../../api/readPicture.ts'
import { Loaded } from '../../parts/Loaded.tsx'

type Props = { path: string; name: string; about: string }

/** A picture of a case, which is forgotten when the page is left; its download shows it in full. */
export function DocumentPicture({ path, name, about }: Props) {
  const query = useQuery({
    queryKey: [path],
    queryFn: () => readPicture(path),
    gcTime: 0,
    staleTime: Infinity,
  })
  return (
    <figure style={{ margin: 0, minWidth: 0 }}>
      <Loaded query={query}>
        {(address) => (
          <>
            <Image src={address} alt={name} mah={520} fit="contain" radius="sm" />
            <Anchor href={address} download={name.toLowerCase()} size="sm">
              Save the {name.toLowerCase()} picture to look closer
            </Anchor>
          </>
        )}
      </Loaded>
      <Text component="figcaption" size="sm" c="dimmed">
        {name}, {about}
      </Text>
    </figure>
  )
}
