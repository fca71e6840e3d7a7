/// The scripts by which shells complete command lines.
///
/// Each hands the words that are typed to `ledger completions --candidates` and offers what that prints: a candidate a line, a tab, and
/// what it means. A line that begins with the tab asks for the shell's own `files` or `folders`.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  /// It runs on the bash 3.2 of macOS, too. A word that holds `=` or `:` reaches it in pieces.
  private static let bashText = #"""
    # Completion of ledger for bash, as `ledger completions bash` prints it.
    _ledger() {
      local word line glue= IFS=$' \t\n'
      local -a words abouts
      words=()
      for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ( -n $glue || $word == [=:]* ) ]]; then
          words[${#words[@]}-1]+=$word
        else
          words+=("$word")
        fi
        glue=
        if [[ $word == *[=:] ]]; then glue=1; fi
      done
      local i typed= quote=
      for ((i = 0; i < ${#words[@]}; i++)); do
        typed=${words[i]}
        quote=
        if [[ $typed == [\'\"]* ]]; then quote=${typed:0:1} typed=${typed:1}; fi
        if [[ -n $quote ]]; then typed=${typed%"$quote"}; else typed=${typed//\\/}; fi
        words[i]=$typed
      done
      local piece=${typed##*[=:]}
      local start=${typed%"$piece"}
      COMPREPLY=()
      while IFS= read -r line; do
        word=${line%%$'\t'*}
        if [[ -n $word ]]; then
          word=${word#"$start"}
          if [[ -z $quote ]]; then
            printf -v word '%q' "$word"
          else
            # It goes on in the quote that was typed, which nothing in it may leave.
            local letter quoted=
            for ((i = 0; i < ${#word}; i++)); do
              letter=${word:i:1}
              case $quote$letter in
              "''") quoted+="'\\''" ;;
              '"!') quoted+="\"'!'\"" ;;
              '"$' | '"`' | '""' | '"\') quoted+="\\$letter" ;;
              *) quoted+=$letter ;;
              esac
            done
            word=$quoted
          fi
          COMPREPLY+=("$word")
          abouts+=("${line#*$'\t'}")
        else
          compopt -o filenames 2>/dev/null
          local action=file
          if [[ $line == $'\t'folders ]]; then action=directory; fi
          while IFS= read -r word; do
            COMPREPLY+=("$word")
          done < <(compgen -A "$action" -- "$piece")
        fi
      done < <("${1:-ledger}" completions --candidates -- "${words[@]}" 2>/dev/null)
      # A second tab only lists: there is room for what each one means.
      if [[ ${COMP_TYPE:-} == 63 && ${#COMPREPLY[@]} -gt 1 && ${#abouts[@]} -eq ${#COMPREPLY[@]} ]]; then
        for ((i = 0; i < ${#abouts[@]}; i++)); do
          if [[ -n ${abouts[i]} ]]; then COMPREPLY[i]+="  (${abouts[i]})"; fi
        done
      fi
    }
    complete -F _ledger ledger

    """#

  private static let zshText = #"""
    #compdef ledger
    # Completion of ledger for zsh, as `ledger completions zsh` prints it.
    _ledger() {
      local line value about
      local -a values shown
      while IFS= read -r line; do
        value=${line%%$'\t'*}
        about=${line#*$'\t'}
        if [[ -n $value ]]; then
          values+=("$value")
          shown+=("$value${about:+  -- $about}")
        else
          compset -P '--*='
          if [[ $about == folders ]]; then _files -/; else _files; fi
        fi
      done < <("${words[1]:-ledger}" completions --candidates -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)
      (( $#values )) && compadd -l -d shown -a values
    }
    if [[ $funcstack[1] == _ledger ]]; then _ledger "$@"; else compdef _ledger ledger; fi

    """#

  private static let fishText = #"""
    # Completion of ledger for fish, as `ledger completions fish` prints it.
    function __ledger_candidates
        set -l words (commandline -opc)
        set -l typed (commandline -ct)
        set -l start (string match -r '^--[^=]*=' -- "$typed")
        set -l path (string replace -r '^--[^=]*=' '' -- "$typed")
        set -e words[1]
        for line in (ledger completions --candidates -- $words "$typed" 2>/dev/null)
            switch $line
                case \tfolders
                    printf "$start%s\n" (__fish_complete_directories "$path" '')
                case \tfiles
                    printf "$start%s\n" (__fish_complete_path "$path")
                case '*'
                    printf '%s\n' $line
            end
        end
    end
    complete -c ledger -f -a '(__ledger_candidates)'

    """#
}
