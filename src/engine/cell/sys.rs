//! The few calls that no safe interface offers. The only `unsafe` of the program.
//!
//! All but [`watched`] are the agent's, which is single-threaded: nothing here can change state under another
//! thread's feet.
#![allow(unsafe_code)]

use rustix::thread::UnshareFlags;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use tokio::io::unix::AsyncFd;

/// Leaves the parent's namespaces.
pub fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: unsafe only for what `CLONE_FILES` does to descriptors held elsewhere; never asked for here.
    Ok(unsafe { rustix::thread::unshare_unsafe(flags - UnshareFlags::FILES) }?)
}

/// A descriptor that tells when it can be read and written, within the runtime of the caller.
pub fn watched(descriptor: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` is open and names the same file until it is dropped, which `AsyncFd` does last.
    Ok(unsafe { AsyncFd::register(descriptor) }?)
}

/// Brings up the loopback of the network that this process is in.
pub fn raise_loopback() -> io::Result<()> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
    let socket = socket_with(
        AddressFamily::INET,
        SocketType::DGRAM,
        SocketFlags::CLOEXEC,
        None,
    )?;
    // SAFETY: plain numbers, for which zeroes are a value.
    let mut request: libc::ifreq = unsafe { MaybeUninit::zeroed().assume_init() };
    for (place, letter) in request.ifr_name.iter_mut().zip(b"lo") {
        *place = *letter as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the name ends with a zero byte, and the request outlives the call.
    let answer = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) };
    check(answer).map(drop)
}

/// Signals a process, or with a negative number a group; signal numbers are the kernel's.
pub fn kill(target: i32, signal: i32) -> io::Result<()> {
    // SAFETY: no memory is involved.
    check(unsafe { libc::kill(target, signal) }).map(drop)
}

/// Runs `step` in the new process just before its program starts.
pub fn before_exec(
    command: &mut Command,
    step: impl FnMut() -> io::Result<()> + Send + Sync + 'static,
) {
    // SAFETY: between fork and exec only what is safe in a signal handler may run when other threads
    // could hold locks; this process has no other threads.
    unsafe { command.pre_exec(step) };
}

/// Does `work` in a new process that is a copy of this one and ends with it. No program is started for it, so that
/// what it holds is as hidden from the programs of a cell as this process.
pub fn in_child(work: impl FnOnce()) -> io::Result<()> {
    // SAFETY: this process has no other threads, so the child finds no lock held and no value half changed.
    if check(unsafe { libc::fork() })? != 0 {
        return Ok(());
    }
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    // SAFETY: ends the process at once; what only the parent may end is left as it is.
    unsafe { libc::_exit(i32::from(done.is_err())) }
}

/// Blocks SIGCHLD and gives a descriptor that is readable when a child has ended.
pub fn child_ended() -> io::Result<OwnedFd> {
    let set = signals(&[libc::SIGCHLD]);
    // SAFETY: `set` is initialised, and the old mask is not asked for.
    check(unsafe { libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) })?;
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    // SAFETY: `set` is initialised; -1 asks for a new descriptor.
    let number = check(unsafe { libc::signalfd(-1, &raw const set, flags) })?;
    // SAFETY: the kernel just made it for us; nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Undoes the blocking and what the engine's own caller may have had ignored (`nohup`).
pub fn default_signals() -> io::Result<()> {
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
        // SAFETY: the default action needs no function to be valid.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let none = signals(&[]);
    // SAFETY: `none` is initialised, and the old mask is not asked for.
    check(unsafe { libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut()) })
        .map(drop)
}

/// Makes a mount and all mounts below it read-only (kernel 5.12).
pub fn read_only(path: &Path) -> io::Result<()> {
    let path = std::ffi::CString::new(path.as_os_str().as_encoded_bytes())?;
    let wanted = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the path ends with a zero byte and both outlive the call; the size is that of the structure.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            libc::AT_RECURSIVE,
            &raw const wanted,
            size_of::<libc::mount_attr>(),
        )
    };
    if answer < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

fn signals(members: &[i32]) -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: `sigemptyset` initialises the whole set; the numbers added are valid.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for member in members {
            libc::sigaddset(set.as_mut_ptr(), *member);
        }
        set.assume_init()
    }
}

fn check(answer: i32) -> io::Result<i32> {
    if answer < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(answer)
}
