import type { Translated } from '../message-types.ts';
import type { settingsApiKeys as english } from '../en/settings-api-keys.ts';

export const settingsApiKeys: Translated<typeof english> = {
  description: 'Met een API-sleutel verstuurt een gateway metingen zonder zich aan te melden.',
  new: 'Nieuwe API-sleutel',
  columns: { created: 'Aangemaakt', lastUsed: 'Laatst gebruikt' },
  emptyTitle: 'Nog geen API-sleutels',
  emptyText:
    'Maak er voor elke gateway een, zodat u er een kunt intrekken zonder de andere te stoppen. U krijgt er een kant-en-klare opdracht bij.',
  nameHint: 'Waar de sleutel voor is: de gateway of de plek.',
  create: 'API-sleutel aanmaken',
  createdTitle: 'API-sleutel “{name}”',
  shownOnce: 'Kopieer de sleutel nu. Hij wordt alleen deze keer getoond en is later niet meer te lezen.',
  key: 'API-sleutel',
  copyKey: 'Sleutel kopiëren',
  copyCommand: 'Opdracht kopiëren',
  notCopied: 'De sleutel is nog niet gekopieerd. Toch sluiten?',
  deviceHint: 'De externe ID ervan komt in de rijen.',
  chooseDevice: 'Kies een apparaat',
  command: 'Er metingen mee versturen',
  commandHint: 'Voer dit uit waar de gateway staat. De tijden hebben een verschil met UTC of Z nodig.',
  noDevices:
    'Er zijn nog geen apparaten, dus het portaal weigert de rijen van deze opdracht. Voeg een apparaat met deze externe ID toe onder <link>Locaties</link>.',
  test: {
    title: 'Een testrij versturen',
    hint: 'Verstuurt één meting via de API met deze sleutel. De rij is echt: ze wordt opgeslagen, verschijnt in grafieken en totalen, en kan alleen met haar apparaat worden verwijderd.',
    timeHint: 'Leeg: nu. Anders een tijd in {zone}.',
    powerMissing: 'Voer een getal in.',
    send: 'Testrij versturen',
    stored: 'Opgeslagen: {power} voor {device}, {time}.',
    duplicate: 'Geaccepteerd, maar niet opnieuw opgeslagen: {device} heeft al een meting op {time}.',
    rejected: 'Geweigerd: {reason}',
    counts: 'geaccepteerd {accepted, number} · geweigerd {rejected, number} · dubbel {duplicates, number}',
    show: 'Meetwaarden tonen',
  },
  revoke: 'Intrekken',
  revokeTitle: 'API-sleutel intrekken',
  revokeText: 'Alles wat met deze sleutel verstuurt, wordt vanaf dan geweigerd. Dit kan niet ongedaan worden gemaakt.',
  revoked: 'De API-sleutel {name} is ingetrokken.',
};
