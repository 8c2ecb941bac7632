/** Puts the address of this registry into commands of a registry that does not know its own. */
import { siteAddress } from './site-address.ts';

export function addRegistryAddress(): void {
  const address = siteAddress('').replace(/\/$/, '');
  for (const place of document.querySelectorAll('[data-registry-address]')) {
    place.textContent = address;
    place.setAttribute('data-known', '');
  }
}
