#!/usr/bin/env bash
# Perl's HTTP::Date reads "2026-11-28T10:00:00 02:00", which lost its + in a query string, as +02:00; Ruby's Time.parse drops the offset.
# versions: Debian 12's libhttp-date-perl 6.05-2; Ruby 3.1's standard library (observed, 2026-11-28)
# guessed: str2time rejects it (60 %); Ruby reads local time (60 %)
# seen: str2time returns 08:00Z; Ruby returns the machine's local time
# matters: clients that do not escape the + in `changed_since` send a space. A strict API returns 400; a Perl receiver hides the mistake,
#   and a Ruby one moves the start of a sync by hours. Send UTC with Z, which needs no escaping.
# needs: perl, ruby (3.1), Debian's apt-get and dpkg
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
chmod 755 .
apt-get download -qq libhttp-date-perl=6.05-2 libtimedate-perl >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export TZ=America/New_York

cat >program.pl <<'PERL'
use strict;
use warnings;
use HTTP::Date qw(str2time time2isoz);

for my $text ("2026-11-28T10:00:00+02:00", "2026-11-28T10:00:00 02:00", "2026-11-28T10:00:00") {
    my $time = str2time($text);
    print "perl $text: ", defined $time ? time2isoz($time) : "refused", "\n";
}
PERL
cat >program.rb <<'RUBY'
require "time"
require "uri"

["2026-11-28T10:00:00%2B02:00", "2026-11-28T10:00:00+02:00"].each do |query|
  text = URI.decode_www_form_component(query)
  strict = begin Time.iso8601(text).utc.to_s rescue "refused" end
  puts "ruby #{text}: #{Time.parse(text).utc}, iso8601 #{strict}"
end
RUBY
{ perl -Iusr/share/perl5 program.pl; ruby program.rb; } >seen

diff - seen <<'SEEN'
perl 2026-11-28T10:00:00+02:00: 2026-11-28 08:00:00Z
perl 2026-11-28T10:00:00 02:00: 2026-11-28 08:00:00Z
perl 2026-11-28T10:00:00: 2026-11-28 15:00:00Z
ruby 2026-11-28T10:00:00+02:00: 2026-11-28 08:00:00 UTC, iso8601 2026-11-28 08:00:00 UTC
ruby 2026-11-28T10:00:00 02:00: 2026-11-28 15:00:00 UTC, iso8601 refused
SEEN
echo "as seen"
