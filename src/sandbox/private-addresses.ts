import { BlockList, isIP } from 'node:net';

/** Networks that are not the public internet: IANA's special-purpose registries, as far as an address there could reach something. */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/** Within global unicast (2000::/3): tunnels that carry an IPv4 address of the sender's choice, and documentation. */
const PRIVATE_IPV6 = ['2001::/32', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

const refusedIpv4 = blockListOf(PRIVATE_IPV4, 'ipv4');
const refusedIpv6 = blockListOf(PRIVATE_IPV6, 'ipv6');
const globalUnicast = blockListOf(['2000::/3'], 'ipv6');

/** Whether an address lies on the public internet. What is no address does not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !refusedIpv4.check(address, 'ipv4');
  // Everything outside 2000::/3 is local, mapped, translated (64:ff9b::) or unassigned.
  if (family === 6) return globalUnicast.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6');
  return false;
}

function blockListOf(subnets: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network, prefix] = subnet.split('/');
    list.addSubnet(network ?? '', Number(prefix), family);
  }
  return list;
}
