/**
 * The IP addresses that the service may call: the public ones. Of IPv4 these are all but the special ranges; of IPv6,
 * only the range that IANA assigns, without its special ranges. Ruling 62.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
import { BlockList, isIP } from 'node:net';

/** The addresses a call may go to. `inside` is for the offline runtime, which also calls itself. */
export interface Policy {
  readonly inside: boolean;
  /** The only hosts that may be called, as `hostsOf` reads them; absent or empty for any. Decision 76. */
  readonly hosts?: readonly string[];
}

type Range = readonly [network: string, prefixBits: number, what: string];

const special4: readonly Range[] = [
  ['0.0.0.0', 8, 'this network, RFC 791 3.2'],
  ['10.0.0.0', 8, 'private, RFC 1918'],
  ['100.64.0.0', 10, 'shared by carriers, RFC 6598; metadata at Alibaba: 100.100.100.200'],
  ['127.0.0.0', 8, 'loopback, RFC 1122 3.2.1.3'],
  ['168.63.129.16', 32, 'public in form, but the platform of Azure to each machine in it'],
  ['169.254.0.0', 16, 'link-local, RFC 3927; metadata of most clouds: 169.254.169.254'],
  ['172.16.0.0', 12, 'private, RFC 1918'],
  ['192.0.0.0', 24, 'IETF protocols, RFC 6890 2.1; metadata at Oracle: 192.0.0.192'],
  ['192.0.2.0', 24, 'documentation, RFC 5737'],
  ['192.88.99.0', 24, '6to4 relays, ended by RFC 7526'],
  ['192.168.0.0', 16, 'private, RFC 1918'],
  ['198.18.0.0', 15, 'benchmarks, RFC 2544'],
  ['198.51.100.0', 24, 'documentation, RFC 5737'],
  ['203.0.113.0', 24, 'documentation, RFC 5737'],
  ['224.0.0.0', 4, 'multicast, RFC 5771'],
  ['240.0.0.0', 4, 'reserved, RFC 1112 4; broadcast, RFC 919 7'],
];

/**
 * Other ranges are refused: `::`, `::1`, every form that holds an IPv4 address (`::/96`, `::ffff:0:0/96`,
 * `64:ff9b::/96`, `64:ff9b:1::/48`), `100::/64`, `5f00::/16`, `fc00::/7` with the metadata of AWS at `fd00:ec2::254`,
 * `fe80::/10`, `fec0::/10` and `ff00::/8`.
 */
const global6: readonly Range[] = [['2000::', 3, 'global unicast, RFC 4291 2.4']];

const special6: readonly Range[] = [
  ['2001::', 23, 'IETF protocols, RFC 2928: Teredo, benchmarks, ORCHID'],
  ['2001:db8::', 32, 'documentation, RFC 3849'],
  ['2002::', 16, '6to4, which holds an IPv4 address, RFC 3056'],
  ['3fff::', 20, 'documentation, RFC 9637'],
];

// One list for each family, because a list takes `::ffff:0:0/96` to mean all of IPv4.
const refused4 = blockListOf('ipv4', special4);
const granted6 = blockListOf('ipv6', global6);
const refused6 = blockListOf('ipv6', special6);
const loopback4 = blockListOf('ipv4', [['127.0.0.0', 8, 'loopback, RFC 1122 3.2.1.3']]);
const loopback6 = blockListOf('ipv6', [['::1', 128, 'loopback, RFC 4291 2.5.3']]);

/** True for an IP address that every host on the Internet could call. Ruling 62. */
export function isPublicAddress(text: string): boolean {
  switch (familyOf(text)) {
    case 4:
      return !refused4.check(text, 'ipv4');
    case 6:
      return granted6.check(text, 'ipv6') && !refused6.check(text, 'ipv6');
    default:
      return false;
  }
}

/** True for an address that a call may go to: a public one, or loopback where the policy allows it. */
export function isOpenAddress(text: string, policy: Policy): boolean {
  return isPublicAddress(text) || (policy.inside && isLoopbackAddress(text));
}

/** Refuses an IPv4-mapped loopback address: only an attacker writes one. Ruling 62. */
function isLoopbackAddress(text: string): boolean {
  switch (familyOf(text)) {
    case 4:
      return loopback4.check(text, 'ipv4');
    case 6:
      return loopback6.check(text, 'ipv6');
    default:
      return false;
  }
}

/** Refuses a zone (`fe80::1%eth0`, RFC 4007 11), which `isIP` accepts: it names an interface of this machine. */
function familyOf(text: string): number {
  return text.includes('%') ? 0 : isIP(text);
}

function blockListOf(family: 'ipv4' | 'ipv6', ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefixBits] of ranges) list.addSubnet(network, prefixBits, family);
  return list;
}
