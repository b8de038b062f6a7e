/** The limits of keeping protected parts back, which every choice of them must tell (`notSearched` in the domain). */
export const NotSearched = () => (
  <ul>
    <li>We find these parts by codes and by words, so we may miss some.</li>
    <li>We can’t look inside scans, PDF files and pictures in your record.</li>
    <li>Your documents and your own words are not searched.</li>
  </ul>
)
